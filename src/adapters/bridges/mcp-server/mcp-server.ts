import type { McpServer } from '@modelcontextprotocol/server';
import { toErrorRecord } from '#kit/app-error';
import { cutMiddle } from '#kit/cut-middle';
import { type HttpEndpoint, serveHttp } from './serve-http.ts';
import type { ServedParts, ServedTool } from './served.ts';
import { servedTools } from './served-tools.ts';
import { bearerCheck } from './bearer-check.ts';

export interface McpServerOptions {
  readonly version: string;
  readonly served: ServedParts;
  /** What clients may do; tools of other scopes do not exist for them. */
  readonly scopes: readonly string[];
  log(text: string): void;
}

export interface HermesMcpServer {
  /** Serves whoever started this process, over its pipes. Nothing else may write to standard output meanwhile. */
  stdio(): Promise<{ readonly closed: Promise<void>; close(): Promise<void> }>;
  /** Serves on a port of this machine those who have the token. Port 0 takes any. */
  http(options: { readonly port: number; readonly token: string }): Promise<HttpEndpoint>;
}

const MOST_CHARS = 100_000;

export function mcpServer(options: McpServerOptions): HermesMcpServer {
  const build = async (): Promise<McpServer> => buildServer(options);
  return {
    async stdio() {
      const { serveStdio, StdioServerTransport } = await import('@modelcontextprotocol/server/stdio');
      const ended = Promise.withResolvers<void>();
      // The transport hears of the end of the input by itself; the process should then end too.
      process.stdin.once('close', () => ended.resolve());
      const handle = serveStdio(build, {
        transport: new StdioServerTransport(),
        onerror: (error) => options.log(error.message),
      });
      const close = async () => {
        await handle.close();
        ended.resolve();
      };
      return { closed: ended.promise, close };
    },
    http: async ({ port, token }) => serveHttp({ build, port, refuse: bearerCheck(token), log: options.log }),
  };
}

async function buildServer({ version, served, scopes }: McpServerOptions): Promise<McpServer> {
  const { McpServer: Server } = await import('@modelcontextprotocol/server');
  const server = new Server(
    { name: 'hermes', version },
    {
      capabilities: { tools: {} },
      instructions: 'Conversations of Hermes, and actions that wait for approval.',
    },
  );
  for (const tool of servedTools(served)) if (scopes.includes(tool.scope)) register(server, tool);
  return server;
}

function register(server: McpServer, tool: ServedTool): void {
  server.registerTool(
    tool.name,
    {
      description: tool.description,
      inputSchema: tool.input,
      annotations: { readOnlyHint: tool.readOnly, destructiveHint: !tool.readOnly, openWorldHint: false },
    },
    async (input: unknown, { mcpReq }: { mcpReq: { signal: AbortSignal } }) => {
      try {
        const text = JSON.stringify(await tool.run(input, mcpReq.signal), undefined, 1);
        return { content: [{ type: 'text' as const, text: cutMiddle(text, MOST_CHARS) }] };
      } catch (error) {
        const { message, code } = toErrorRecord(error);
        // What is a defect of ours is not for others to read.
        const text = code === 'internal' ? 'It failed.' : message;
        return { isError: true, content: [{ type: 'text' as const, text }] };
      }
    },
  );
}
