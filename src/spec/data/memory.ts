import { z } from 'zod';

/**
 * Whose memory it is, as one text: `person/<source>/<user>`, `chat/<source>/<chat>` or `team`. Parts are encoded as in
 * an address. What is of a person shows only where nobody else listens.
 */
export const MemoryScope = z.string().regex(/^(?:person\/[^/]+\/[^/]+|chat\/[^/]+\/[^/]+|team)$/);
export type MemoryScope = z.infer<typeof MemoryScope>;

export const MEMORY_KINDS = [
  'fact',
  'preference',
  'lesson',
  'note',
  /** A line that no longer fitted into a notebook. */
  'archive',
  'session_summary',
  'incident_summary',
  'fault_pattern',
  'service_profile',
  'governance_rule',
  'team_preference',
] as const;
export const MemoryKind = z.enum(MEMORY_KINDS);
export type MemoryKind = z.infer<typeof MemoryKind>;

/** Where an entry comes from. */
export const MemoryProvenance = z.object({
  by: z.enum(['user', 'agent', 'review', 'rule', 'workflow', 'incident', 'import', 'notebook']),
  session: z.string().optional(),
  turn: z.number().int().optional(),
  incident: z.string().optional(),
  skill: z.string().optional(),
});
export type MemoryProvenance = z.infer<typeof MemoryProvenance>;

/** What stood around a text where it was said; the search looks there too. */
export const MemoryContext = z.object({
  speaker: z.string().optional(),
  previous: z.string().optional(),
  next: z.string().optional(),
});
export type MemoryContext = z.infer<typeof MemoryContext>;

export const MemoryState = z.enum(['active', 'replaced', 'forgotten']);
export type MemoryState = z.infer<typeof MemoryState>;

/** One thing that is remembered for long. Times are milliseconds since the epoch. */
export const MemoryEntry = z.object({
  id: z.string(),
  scope: MemoryScope,
  kind: MemoryKind,
  /** What it is about, such as `coupon-service/peak-hours`: a new entry of the same scope and key takes its place. */
  key: z.string().optional(),
  text: z.string(),
  context: MemoryContext.optional(),
  provenance: MemoryProvenance,
  /** From 0 to 1. Feedback moves it. */
  trust: z.number().min(0).max(1),
  accesses: z.number().int(),
  accessedAt: z.number().optional(),
  /** When it was said or came to be true. */
  at: z.number(),
  createdAt: z.number(),
  updatedAt: z.number(),
  /** From then on it is not found any more. */
  expiresAt: z.number().optional(),
  /** From 1, within entries that took each other's place. */
  version: z.number().int(),
  /** The version before this one. */
  replaces: z.string().optional(),
  state: MemoryState,
});
export type MemoryEntry = z.infer<typeof MemoryEntry>;

/** A write that waits for a person. */
export const StagedWrite = z.object({
  id: z.string(),
  scope: MemoryScope,
  /** What it would change: a notebook, the long-term store, or a skill. */
  target: z.enum(['notebook', 'entry', 'skill']),
  /** The call that would make it, as its tool takes it. */
  tool: z.string(),
  input: z.unknown(),
  /** What a person sees before they decide: all that would be written. */
  shown: z.string(),
  why: z.string(),
  session: z.string().optional(),
  at: z.number(),
});
export type StagedWrite = z.infer<typeof StagedWrite>;
