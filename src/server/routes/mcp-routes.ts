import type { HostMcpView } from '#host';
import { API } from '#spec/api';
import type { Route } from '#spec/ports';
import { implement } from '../implement.ts';

/** The MCP servers of the home, and what is served to others. */
export const mcpRoutes = (mcp: HostMcpView): Route[] => [
  implement(API.mcp.show, async () => ({ body: await mcp.view() })),
  implement(API.mcp.reconnect, async ({ params }) => ({ body: await mcp.reconnect(params.server) })),
];
