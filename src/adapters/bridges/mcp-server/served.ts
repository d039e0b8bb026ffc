import type { z } from 'zod';

/** What a client may be allowed to do here. Deciding about approvals is apart from seeing them. */
export const MCP_SCOPES = ['sessions:read', 'approvals:read', 'approvals:decide'] as const;

interface ServedSession {
  readonly id: string;
  readonly title: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

interface ServedMessage {
  readonly role: string;
  readonly text: string;
  readonly at: number;
}

interface ServedApproval {
  readonly id: string;
  readonly tool: string;
  /** What would happen, for people: secrets redacted, nothing hidden. */
  readonly shown: string;
  readonly reasons: readonly string[];
  readonly createdAt: number;
  readonly expiresAt: number;
}

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

/** What Hermes shows to MCP clients. Parts that are absent are not offered. */
export interface McpServed {
  readonly sessions?: {
    list(limit: number): Promise<readonly ServedSession[]>;
    /** Messages after a position; undefined when there is no such session. */
    read(
      id: string,
      after: number,
      limit: number,
    ): Promise<{ readonly messages: readonly ServedMessage[]; readonly next?: number } | undefined>;
    search(
      query: string,
      limit: number,
    ): Promise<readonly (ServedMessage & { readonly session: string; readonly title: string })[]>;
  };
  readonly approvals?: {
    /** Those that wait for somebody. */
    list(): Promise<readonly ServedApproval[]>;
    /** False: it was decided, used or too late. */
    decide(id: string, granted: boolean): Promise<boolean>;
  };
  readonly more?: readonly ServedTool[];
}
