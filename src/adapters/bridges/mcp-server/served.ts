import type { z } from 'zod';
import type { McpServed } from '#spec/ports';

/** What a client may be allowed to do here. Deciding about approvals is apart from seeing them. */
export const MCP_SCOPES = ['sessions:read', 'approvals:read', 'approvals:decide'] as const;

/** A further thing to serve, such as memory, skills or incidents. What it gives is sent as JSON. */
export interface ServedTool<Input = unknown> {
  readonly name: string;
  readonly description: string;
  /** The client must have this scope to see it at all. */
  readonly scope: string;
  readonly readOnly: boolean;
  readonly input: z.ZodType<Input>;
  run(input: Input, signal: AbortSignal): Promise<unknown>;
}

/** Keeps the type of the input between its schema and what uses it. */
export const defineServedTool = <Input>(tool: ServedTool<Input>): ServedTool => tool;

/** What is served, and what is served besides. */
export interface ServedParts extends McpServed {
  readonly more?: readonly ServedTool[];
}
