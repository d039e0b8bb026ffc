import { z } from 'zod';
import { Message } from './message.ts';
import type { SystemBlock, ToolSpec } from './model.ts';
import { Usage } from './usage.ts';

/** Whose conversation it is and where it takes place. Nothing is shared between two of these. */
export const Audience = z.object({
  /** Where it came in: `cli`, `api`, `telegram`, … */
  source: z.string(),
  user: z.string(),
  chat: z.string(),
});
export type Audience = z.infer<typeof Audience>;

/** A conversation. Times are milliseconds since the epoch. */
export const Session = Audience.extend({
  id: z.string(),
  title: z.string().optional(),
  /** The session that this one was forked from, and the last message that both share. */
  parent: z.object({ id: z.string(), seq: z.number().int() }).optional(),
  /** `provider/model` that answered last. */
  model: z.string().optional(),
  cwd: z.string().optional(),
  createdAt: z.number(),
  updatedAt: z.number(),
  messages: z.number().int(),
  usage: Usage,
  cost: z.number(),
});
export type Session = z.infer<typeof Session>;

/** What is sent before the messages: made once a session, stored with it, sent byte for byte ever after. */
export interface FrozenPrefix {
  readonly system: readonly SystemBlock[];
  readonly tools: readonly ToolSpec[];
}

/**
 * `active` messages are sent to the model; `archived` ones were replaced by a digest and stay searchable;
 * `undone` ones were taken back by the user.
 */
export const MessageState = z.enum(['active', 'archived', 'undone']);
export type MessageState = z.infer<typeof MessageState>;

export const StoredMessage = z.object({
  id: z.string(),
  session: z.string(),
  /** Grows by one within a session, in the order of writing. */
  seq: z.number().int(),
  /** Where it stands in the conversation; a digest takes the place of what it replaces. */
  position: z.number(),
  turn: z.number().int(),
  at: z.number(),
  state: MessageState,
  /** `digest`: written by compaction. `notice`: written by Hermes for the model. */
  kind: z.enum(['plain', 'digest', 'notice']),
  message: Message,
  usage: Usage.optional(),
  cost: z.number().optional(),
});
export type StoredMessage = z.infer<typeof StoredMessage>;
