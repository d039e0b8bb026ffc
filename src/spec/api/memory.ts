import { z } from 'zod';
import { MEMORY_KINDS, MemoryEntry, MemoryKind, MemoryScope, MemoryState } from '#spec/data';
import { defineContracts } from './contract.ts';
import { language, text, upTo } from './query.ts';

const MOST_LISTED = 10_000;
const MOST_DAYS = 3_650;

export const NotebookName = z.enum(['memory', 'user', 'service', 'fault', 'habit']);
export type NotebookName = z.infer<typeof NotebookName>;

const MemoryOverview = z.object({
  enabled: z.boolean(),
  counts: z.array(z.object({ kind: MemoryKind, state: MemoryState, count: z.number() })),
  waiting: z.number(),
  /** Whether meanings are found, or words alone. */
  vectors: z.object({
    embedder: z.enum(['local', 'remote', 'off']),
    state: z.enum(['ready', 'partly', 'absent', 'unsupported', 'off']),
  }),
  ranking: z.string(),
  /** Whether what Hermes writes by itself waits for a person. */
  writeApproval: z.boolean(),
  retentionDays: z.number(),
  /** People and chats whose memory can be looked at. */
  places: z.array(MemoryScope),
  /** The one that is meant where none is named; absent where nothing is theirs. */
  place: MemoryScope.optional(),
});
export type MemoryOverview = z.infer<typeof MemoryOverview>;

const NotebookEntry = z.object({
  /** Made of its text: an entry that was changed meanwhile is not the one that was meant. */
  id: z.string(),
  text: z.string(),
  /** Why it does not enter a prompt: it came in by hand, past the scan. */
  refused: z.string().optional(),
});
export type NotebookEntry = z.infer<typeof NotebookEntry>;

const Notebook = z.object({
  name: NotebookName,
  file: z.string(),
  scope: MemoryScope,
  /** Of everybody who works with this home. */
  team: z.boolean(),
  limit: z.number(),
  used: z.number(),
  entries: z.array(NotebookEntry),
});
export type Notebook = z.infer<typeof Notebook>;

/** A notebook as it was before an edit. */
const NotebookVersion = z.object({
  version: z.number().int(),
  until: z.number(),
  entries: z.array(z.string()),
});
export type NotebookVersion = z.infer<typeof NotebookVersion>;

const Content = z.string().max(20_000);
const NotebookChange = z.strictObject({
  of: MemoryScope.optional(),
  action: z.enum(['add', 'replace', 'remove']),
  entry: z.string().max(100).optional(),
  content: Content.optional(),
});
export type NotebookChange = z.infer<typeof NotebookChange>;

const NotebookChanged = z.object({
  ok: z.boolean(),
  /** What came of it, in words. */
  said: z.string(),
  used: z.number(),
  limit: z.number(),
  before: z.array(z.string()),
  after: z.array(z.string()),
  /** What has to leave for it: it moves to the long-term memory. */
  archived: z.array(z.string()),
});
export type NotebookChanged = z.infer<typeof NotebookChanged>;

/** What adds to the score of a hit, or takes from it. */
const ScoreShare = z.enum([
  'terms',
  'vectors',
  'hrr',
  'length',
  'group',
  'recency',
  'use',
  'newest',
  'asking',
  'doubt',
]);
export type ScoreShare = z.infer<typeof ScoreShare>;

/** An entry that was found; with words to look for also why. */
const FoundEntry = z.object({
  entry: MemoryEntry,
  score: z.number().optional(),
  /** Points, which together are the score. */
  shares: z.partialRecord(ScoreShare, z.number()).optional(),
  matched: z.array(z.string()).optional(),
  similarity: z.number().optional(),
  coverage: z.number().optional(),
  covered: z.number().optional(),
  breakdown: z
    .object({
      text: z.number(),
      vector: z.number(),
      hrr: z.number(),
      recency: z.number(),
      trust: z.number(),
      access: z.number(),
      final: z.number(),
    })
    .optional(),
});
export type FoundEntry = z.infer<typeof FoundEntry>;

const ProfileField = z.enum([
  'tech_stack',
  'communication_style',
  'expertise_level',
  'frequent_tasks',
  'preferences',
  'working_hours',
]);
export type ProfileField = z.infer<typeof ProfileField>;

const Trait = z.object({
  field: ProfileField,
  /** Its name within the field; with the field it is the path to erase. Empty: the whole field. */
  part: z.string(),
  source: z.enum(['set', 'inferred']),
  value: z.string().optional(),
  weight: z.number().optional(),
  needed: z.number().optional(),
  at: z.number().optional(),
});
export type Trait = z.infer<typeof Trait>;

const UserView = z.object({
  of: MemoryScope,
  /** What is told to the model, by field. */
  told: z.partialRecord(ProfileField, z.object({ value: z.string(), source: z.enum(['set', 'inferred']) })),
  behind: z.object({
    turns: z.number(),
    traits: z.array(Trait),
    languages: z.record(z.string(), z.number()),
    style: z.object({ short: z.number(), long: z.number(), code: z.number() }),
    /** Turns by hour of the day, in the time of the server. */
    hours: z.array(z.number()),
  }),
});
export type UserView = z.infer<typeof UserView>;

/** A write that waits, with what it would change. */
const WaitingWrite = z.object({
  id: z.string(),
  scope: MemoryScope,
  target: z.enum(['notebook', 'entry']),
  /** The file of the notebook, or the kind of the entry. */
  place: z.string(),
  /** Empty for something new. */
  before: z.string(),
  /** Empty for something that goes. */
  after: z.string(),
  /** What else leaves the notebook for it. */
  archived: z.array(z.string()),
  shown: z.string(),
  why: z.string(),
  session: z.string().optional(),
  at: z.number(),
  /** Why it could not be made as things are. */
  problem: z.string().optional(),
});
export type WaitingWrite = z.infer<typeof WaitingWrite>;

const of = MemoryScope.optional().describe('whose: `person/<source>/<name>`, one of `places`');
const spoken = z.object({ language: language() });
const change = {
  method: 'POST',
  access: 'write',
  query: spoken,
  body: NotebookChange,
  answer: NotebookChanged,
} as const;
const settle = {
  method: 'POST',
  access: 'write',
  query: spoken,
  answer: z.object({ said: z.string() }),
} as const;

/** What Hermes keeps from one conversation to the next. */
export const MEMORY = defineContracts({
  overview: {
    method: 'GET',
    path: '/api/memory',
    access: 'read',
    summary: 'How much is remembered, what waits, whether there are vectors',
    answer: MemoryOverview,
  },
  notebooks: {
    method: 'GET',
    path: '/api/memory/notebooks',
    access: 'read',
    summary: 'The notebooks, with their entries and how full they are',
    query: z.object({ of, language: language() }),
    answer: z.array(Notebook),
  },
  notebookPast: {
    method: 'GET',
    path: '/api/memory/notebooks/:name/history',
    access: 'read',
    summary: 'What a notebook was before its last edits',
    query: z.object({ of }),
    answer: z.array(NotebookVersion),
  },
  restoreNotebook: {
    method: 'POST',
    path: '/api/memory/notebooks/:name/restore',
    access: 'write',
    summary: 'Make of a notebook what it was in a version',
    query: spoken,
    body: z.strictObject({ of: MemoryScope.optional(), version: z.number().int().positive() }),
    answer: NotebookChanged,
  },
  previewNotebook: {
    ...change,
    path: '/api/memory/notebooks/:name/preview',
    summary: 'What a change of a notebook would come to',
  },
  changeNotebook: { ...change, path: '/api/memory/notebooks/:name', summary: 'Change a notebook' },
  entries: {
    method: 'GET',
    path: '/api/memory/entries',
    access: 'read',
    summary: 'Entries, newest first; with words to look for best first, and why',
    query: z.object({
      q: text().describe('in the words that you would use'),
      kind: MemoryKind.optional().describe(MEMORY_KINDS.join(', ')),
      scope: MemoryScope.optional().describe('of this person, chat or `team`'),
      state: MemoryState.optional().describe('`active` unless said otherwise, `forgotten`, `replaced`'),
      limit: upTo(MOST_LISTED, 50).describe('at most so many, 50 unless said otherwise'),
    }),
    answer: z.array(FoundEntry),
  },
  addEntry: {
    method: 'POST',
    path: '/api/memory/entries',
    access: 'write',
    summary: 'Remember something',
    query: spoken,
    body: z.strictObject({
      text: Content,
      kind: MemoryKind,
      key: z.string().max(200).optional(),
      of: MemoryScope.optional(),
    }),
    status: 201,
    answer: MemoryEntry,
  },
  versions: {
    method: 'GET',
    path: '/api/memory/entries/:id',
    access: 'read',
    summary: 'Every version of an entry, newest first',
    answer: z.array(MemoryEntry),
  },
  editEntry: {
    method: 'PUT',
    path: '/api/memory/entries/:id',
    access: 'write',
    summary: 'Another text, as a new version',
    query: spoken,
    body: z.strictObject({ text: Content }),
    answer: MemoryEntry,
  },
  feedback: {
    method: 'POST',
    path: '/api/memory/entries/:id/feedback',
    access: 'write',
    summary: 'Move its trust up or down',
    body: z.strictObject({ helpful: z.boolean() }),
    answer: MemoryEntry,
  },
  forget: {
    method: 'POST',
    path: '/api/memory/entries/:id/forget',
    access: 'write',
    summary: 'Not found any more',
    status: 204,
  },
  restore: {
    method: 'POST',
    path: '/api/memory/entries/:id/restore',
    access: 'write',
    summary: 'Found again',
    status: 204,
  },
  erase: {
    method: 'DELETE',
    path: '/api/memory/entries/:id',
    access: 'admin',
    summary: 'Erase an entry with all its versions; there is no way back',
    status: 204,
  },
  user: {
    method: 'GET',
    path: '/api/memory/user',
    access: 'read',
    summary: 'What is known about a person, and what it rests on',
    query: z.object({ of, language: language() }),
    answer: UserView,
  },
  setUser: {
    method: 'PUT',
    path: '/api/memory/user',
    access: 'write',
    summary: 'Set something by hand: it wins over what is inferred',
    body: z.strictObject({
      of: MemoryScope.optional(),
      path: z.string().min(1).max(200),
      value: z.string().min(1).max(400),
    }),
    status: 204,
  },
  eraseUser: {
    method: 'DELETE',
    path: '/api/memory/user',
    access: 'write',
    summary: 'Forget a thing, a field or everything that is known about a person',
    query: z.object({
      of,
      path: text().describe('`tech_stack` or `tech_stack.kubernetes`; without it everything'),
    }),
    answer: z.object({ erased: z.boolean() }),
  },
  staged: {
    method: 'GET',
    path: '/api/memory/staged',
    access: 'read',
    summary: 'Writes that wait for a person',
    query: spoken,
    answer: z.array(WaitingWrite),
  },
  approve: {
    ...settle,
    path: '/api/memory/staged/:id/approve',
    person: true,
    summary: 'approve a write that waits',
  },
  reject: { ...settle, path: '/api/memory/staged/:id/reject', summary: 'reject a write that waits' },
  cleanup: {
    method: 'POST',
    path: '/api/memory/cleanup',
    access: 'admin',
    summary: 'Forget what nobody used for so many days',
    body: z.strictObject({ days: z.number().int().min(1).max(MOST_DAYS) }),
    answer: z.object({ forgotten: z.number(), erased: z.number(), kept: z.number() }),
  },
  export: {
    method: 'GET',
    path: '/api/memory/export',
    access: 'admin',
    summary: 'All of the long-term memory, one JSON object a line',
    files: ['application/x-ndjson'],
  },
});
