import { queryOptions } from '@tanstack/react-query';
import { pathOf, request } from '../api/request.ts';

export type McpState = 'idle' | 'starting' | 'ready' | 'failed' | 'restarting' | 'off';

export interface McpTool {
  /** As the server calls it, and as models do. */
  readonly name: string;
  readonly as: string;
  readonly description: string;
  /** A JSON Schema. */
  readonly input: unknown;
  readonly level: 0 | 1 | 2 | 3;
  readonly refused?: string;
  readonly confirm: boolean;
  readonly changed: boolean;
  readonly hides: boolean;
}

export interface McpServer {
  readonly server: string;
  readonly state: McpState;
  readonly since: number;
  readonly restarts: number;
  readonly error?: string;
  readonly pid?: number;
  readonly revision?: string;
  readonly changed: readonly string[];
  readonly reach:
    | {
        readonly kind: 'stdio';
        readonly command: string;
        readonly args: readonly string[];
        readonly env: readonly string[];
      }
    | {
        readonly kind: 'http';
        readonly url: string;
        readonly headers: readonly string[];
        readonly auth: string;
      };
  readonly resources: boolean;
  readonly prompts: boolean;
  readonly learnedAt?: number;
  readonly offered: readonly McpTool[];
  /** What it answered when somebody last had it connected anew. */
  readonly probe?: {
    readonly ms: number;
    readonly resources: number;
    readonly prompts: number;
    readonly at: number;
  };
  readonly output?: string;
}

export interface Mcp {
  readonly file: string;
  readonly configured: boolean;
  readonly problem?: string;
  readonly servers: readonly McpServer[];
  readonly served: {
    readonly scopes: readonly string[];
    readonly tools: readonly {
      readonly name: string;
      readonly description: string;
      readonly scope: string;
      readonly readOnly: boolean;
    }[];
    readonly token: boolean;
  };
}

export const MCP_KEY = ['mcp'] as const;
const AGAIN_MS = 5_000;

export const mcpQuery = () =>
  queryOptions({
    queryKey: MCP_KEY,
    queryFn: ({ signal }) => request<Mcp>('/api/mcp', { signal }),
    refetchInterval: AGAIN_MS,
  });

export const reconnectMcp = (server: string) =>
  request<Mcp>(pathOf`/api/mcp/${server}/reconnect`, { method: 'POST', body: {} });
