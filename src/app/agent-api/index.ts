export { mcpServed } from './mcp-served.ts';
export { openServedAgent } from './open-served-agent.ts';
export type {
  Ending,
  HandedCall,
  Keeping,
  KeptItem,
  KeptTurn,
  Progress,
  ServedAgent,
  ServedEvent,
  ServedRequest,
  ServedTurn,
} from './served.ts';
