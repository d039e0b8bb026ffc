import { queryOptions } from '@tanstack/react-query';
import { ask } from '../api/ask.ts';

export const MCP_KEY = ['mcp'] as const;
const AGAIN_MS = 5_000;

export const mcpQuery = () =>
  queryOptions({
    queryKey: MCP_KEY,
    queryFn: ({ signal }) => ask('GET /api/mcp', { signal }),
    refetchInterval: AGAIN_MS,
  });

export const reconnectMcp = (server: string) =>
  ask('POST /api/mcp/:server/reconnect', { params: { server } });
