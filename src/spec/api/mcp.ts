import { z } from 'zod';
import { defineContracts } from './contract.ts';
import { Level } from './answer.ts';

const McpTool = z.object({
  /** As the server calls it, and as models do. */
  name: z.string(),
  as: z.string(),
  description: z.string(),
  /** A JSON Schema. */
  input: z.record(z.string(), z.unknown()),
  level: Level,
  /** Why it is not offered. */
  refused: z.string().optional(),
  /** A person is asked each time. */
  confirm: z.boolean(),
  /** It describes itself differently than when it was accepted. */
  changed: z.boolean(),
  /** Something in its description cannot be seen. */
  hides: z.boolean(),
});
export type McpTool = z.infer<typeof McpTool>;

const McpServer = z.object({
  server: z.string(),
  state: z.enum(['idle', 'starting', 'ready', 'failed', 'restarting', 'off']),
  /** When it came into that state, in milliseconds since the epoch. */
  since: z.number(),
  restarts: z.number(),
  error: z.string().optional(),
  pid: z.number().optional(),
  /** The revision of the protocol that was agreed on. */
  revision: z.string().optional(),
  tools: z.number(),
  /** Tools that say something else than what was accepted. */
  changed: z.array(z.string()),
  /** Names of variables and headers, never their values. */
  reach: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('stdio'),
      command: z.string(),
      args: z.array(z.string()),
      env: z.array(z.string()),
    }),
    z.object({ kind: z.literal('http'), url: z.string(), headers: z.array(z.string()), auth: z.string() }),
  ]),
  resources: z.boolean(),
  prompts: z.boolean(),
  /** When its tools were learned; absent as long as nothing is known of it. */
  learnedAt: z.number().optional(),
  offered: z.array(McpTool),
  /** What it answered when somebody last had it connected anew. */
  probe: z.object({ ms: z.number(), resources: z.number(), prompts: z.number(), at: z.number() }).optional(),
  /** The end of what its process wrote to its standard error. */
  output: z.string().optional(),
});
export type McpServer = z.infer<typeof McpServer>;

const Mcp = z.object({
  /** The file that names them; whether it is there. */
  file: z.string(),
  configured: z.boolean(),
  /** What keeps the file from being read. */
  problem: z.string().optional(),
  servers: z.array(McpServer),
  /** What `hermes mcp serve` shows to others. */
  served: z.object({
    scopes: z.array(z.string()),
    tools: z.array(
      z.object({ name: z.string(), description: z.string(), scope: z.string(), readOnly: z.boolean() }),
    ),
    /** Whether the token that HTTP asks for is set. */
    token: z.boolean(),
  }),
});
export type Mcp = z.infer<typeof Mcp>;

export const MCP = defineContracts({
  show: {
    method: 'GET',
    path: '/api/mcp',
    access: 'read',
    summary: 'MCP servers with their state and tools, and what Hermes itself serves',
    answer: Mcp,
  },
  reconnect: {
    method: 'POST',
    path: '/api/mcp/:server/reconnect',
    access: 'write',
    summary: 'Connect to a server anew and ask what it has',
    answer: Mcp,
  },
});
