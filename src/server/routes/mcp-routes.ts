import type { HostMcpView } from '#host';
import { defineRoute, type Route } from '#spec/ports';

/** The MCP servers of the home, and what is served to others. */
export const mcpRoutes = (mcp: HostMcpView): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/mcp',
    access: 'read',
    about: { summary: 'MCP servers with their state and tools, and what Hermes itself serves' },
    handle: async () => ({ status: 200, body: await mcp.view() }),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/mcp/:server/reconnect',
    access: 'write',
    about: { summary: 'Connect to a server anew and ask what it has' },
    handle: async ({ params }) => ({ status: 200, body: await mcp.reconnect(params['server'] ?? '') }),
  }),
];
