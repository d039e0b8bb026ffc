export { mcpSecrets, tokenSecrets } from './mcp-client/mcp-secrets.ts';
export {
  type McpClients,
  type McpProbe,
  type McpServerStatus,
  openMcpClients,
} from './mcp-client/open-mcp-clients.ts';
export { parseMcpConfig } from './mcp-client/parse-mcp-config.ts';
export { mcpServer } from './mcp-server/mcp-server.ts';
export { MCP_SCOPES } from './mcp-server/served.ts';
export { servedTools } from './mcp-server/served-tools.ts';
