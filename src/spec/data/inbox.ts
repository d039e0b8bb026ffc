import { z } from 'zod';

/**
 * What somebody wrote in a channel that Hermes listens to. Nothing of it is dropped: `waiting` is what nobody has
 * answered yet, because nothing can be sent there or nobody knew what to say.
 */
export const InboxMessage = z.object({
  id: z.string(),
  /** The channel: `feishu`, `wecom`. */
  source: z.string(),
  /** Who wrote it, as the platform signed it. */
  user: z.string(),
  /** Where it was written, as the platform calls it, for the answer to go there. */
  chat: z.string().optional(),
  text: z.string(),
  /** Milliseconds since the epoch. */
  at: z.number(),
  state: z.enum(['waiting', 'answered']),
  /** The incident that it opened, joined or speaks of. */
  incident: z.string().optional(),
});
export type InboxMessage = z.infer<typeof InboxMessage>;
