import { z } from 'zod';
import type { MemoryReader, ServedMemory } from '#host';
import { fail } from '#kit/app-error';
import type { Language } from '#kit/language';
import { MemoryEntry, MemoryKind, MemoryScope, MemoryState } from '#spec/data';
import { defineRoute, type Principal, type Route, type RouteRequest } from '#spec/ports';
import { mayUse } from '../authenticate.ts';
import { readJson, readNumber } from './read-json.ts';

const MOST_LISTED = 10_000;
const MOST_DAYS = 3_650;

const Name = z.enum(['memory', 'user', 'service', 'fault', 'habit']);
const Content = z.string().max(20_000);
const Change = z.strictObject({
  of: MemoryScope.optional(),
  action: z.enum(['add', 'replace', 'remove']),
  entry: z.string().max(100).optional(),
  content: Content.optional(),
});
const Changed = z.object({
  ok: z.boolean(),
  said: z.string(),
  used: z.number(),
  limit: z.number(),
  before: z.array(z.string()),
  after: z.array(z.string()),
  archived: z.array(z.string()),
});
const Notebook = z.object({
  name: Name,
  file: z.string(),
  scope: MemoryScope,
  team: z.boolean(),
  limit: z.number(),
  used: z.number(),
  entries: z.array(z.object({ id: z.string(), text: z.string(), refused: z.string().optional() })),
});
const Found = z.object({
  entry: MemoryEntry,
  score: z.number().optional(),
  shares: z.record(z.string(), z.number()).optional(),
  matched: z.array(z.string()).optional(),
  similarity: z.number().optional(),
  coverage: z.number().optional(),
  covered: z.number().optional(),
  breakdown: z.record(z.string(), z.number()).optional(),
});
const Overview = z.object({
  enabled: z.boolean(),
  counts: z.array(z.object({ kind: MemoryKind, state: MemoryState, count: z.number() })),
  waiting: z.number(),
  vectors: z.object({ embedder: z.string(), state: z.string() }),
  ranking: z.string(),
  writeApproval: z.boolean(),
  retentionDays: z.number(),
  places: z.array(MemoryScope),
  place: MemoryScope.optional(),
});
const Waiting = z.object({
  id: z.string(),
  scope: MemoryScope,
  target: z.enum(['notebook', 'entry']),
  place: z.string(),
  before: z.string(),
  after: z.string(),
  archived: z.array(z.string()),
  shown: z.string(),
  why: z.string(),
  session: z.string().optional(),
  at: z.number(),
  problem: z.string().optional(),
});
const Version = z.object({ version: z.number().int(), until: z.number(), entries: z.array(z.string()) });
const Restore = z.strictObject({ of: MemoryScope.optional(), version: z.number().int().positive() });
const NewEntry = z.strictObject({
  text: Content,
  kind: MemoryKind,
  key: z.string().max(200).optional(),
  of: MemoryScope.optional(),
});
const Text = z.strictObject({ text: Content });
const Feedback = z.strictObject({ helpful: z.boolean() });
const SetUser = z.strictObject({
  of: MemoryScope.optional(),
  path: z.string().min(1).max(200),
  value: z.string().min(1).max(400),
});
const Cleanup = z.strictObject({ days: z.number().int().min(1).max(MOST_DAYS) });

const OF = { of: 'whose: `person/<source>/<name>`, one of `places`' };
const LANGUAGE = { language: '`en` or `zh`, for what is said' };

/** What Hermes keeps from one conversation to the next. */
export const memoryRoutes = (memory: ServedMemory): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/memory',
    access: 'read',
    about: { summary: 'How much is remembered, what waits, whether there are vectors', answer: Overview },
    handle: async ({ principal }) => ({ status: 200, body: await memory.overview(readerOf(principal)) }),
  }),
  ...notebookRoutes(memory),
  ...entryRoutes(memory),
  ...userRoutes(memory),
  ...stagedRoutes(memory),
  defineRoute({
    method: 'POST',
    path: '/api/memory/cleanup',
    access: 'admin',
    about: { summary: 'Forget what nobody used for so many days', body: Cleanup },
    handle: async (request) => ({
      status: 200,
      body: await memory.cleanup(readJson(request, Cleanup).days),
    }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/memory/export',
    access: 'admin',
    about: { summary: 'All of the long-term memory, one JSON object a line' },
    handle: async () => ({
      status: 200,
      headers: {
        'content-type': 'application/x-ndjson; charset=utf-8',
        'content-disposition': 'attachment; filename="memories.jsonl"',
      },
      body: memory.export(),
    }),
  }),
];

const notebookRoutes = (memory: ServedMemory): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/memory/notebooks',
    access: 'read',
    about: {
      summary: 'The notebooks, with their entries and how full they are',
      query: { ...OF, ...LANGUAGE },
      answer: z.array(Notebook),
    },
    handle: async ({ principal, query }) => ({
      status: 200,
      body: await memory.notebooks(readerOf(principal), scopeOf(query, 'of'), languageOf(query)),
    }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/memory/notebooks/:name/history',
    access: 'read',
    about: { summary: 'What a notebook was before its last edits', query: OF, answer: z.array(Version) },
    handle: async (request) => {
      const meant = { name: nameOf(request), of: scopeOf(request.query, 'of') };
      return { status: 200, body: await memory.notebookPast(readerOf(request.principal), meant) };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/memory/notebooks/:name/restore',
    access: 'write',
    about: {
      summary: 'Make of a notebook what it was in a version',
      query: LANGUAGE,
      body: Restore,
      answer: Changed,
    },
    handle: async (request) => {
      const meant = { ...readJson(request, Restore), name: nameOf(request) };
      const language = languageOf(request.query);
      return {
        status: 200,
        body: await memory.restoreNotebook(readerOf(request.principal), meant, language),
      };
    },
  }),
  ...([true, false] as const).map((rehearse) =>
    defineRoute({
      method: 'POST',
      path: rehearse ? '/api/memory/notebooks/:name/preview' : '/api/memory/notebooks/:name',
      access: 'write',
      about: {
        summary: rehearse ? 'What a change of a notebook would come to' : 'Change a notebook',
        query: LANGUAGE,
        body: Change,
        answer: Changed,
      },
      handle: async (request) => {
        const change = { ...readJson(request, Change), name: nameOf(request) };
        const options = { language: languageOf(request.query), rehearse };
        return { status: 200, body: await memory.change(readerOf(request.principal), change, options) };
      },
    }),
  ),
];

function nameOf({ params }: RouteRequest): z.infer<typeof Name> {
  const name = Name.safeParse(params['name']);
  if (name.success) return name.data;
  throw fail('input.not_found', 'There is no such notebook.', Name.options.join(', '));
}

const entryRoutes = (memory: ServedMemory): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/memory/entries',
    access: 'read',
    about: {
      summary: 'Entries, newest first; with words to look for best first, and why',
      query: {
        q: 'in the words that you would use',
        kind: MemoryKind.options.join(', '),
        scope: 'of this person, chat or `team`',
        state: '`active` unless said otherwise, `forgotten`, `replaced`',
        limit: 'at most so many, 50 unless said otherwise',
      },
      answer: z.array(Found),
    },
    handle: async ({ principal, query, signal }) => {
      const asked = {
        query: query.get('q') ?? '',
        kind: oneOf(MemoryKind, query, 'kind'),
        scope: scopeOf(query, 'scope'),
        state: oneOf(MemoryState, query, 'state'),
        limit: readNumber(query, 'limit', MOST_LISTED, 50),
      };
      return { status: 200, body: await memory.find(readerOf(principal), asked, signal) };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/memory/entries',
    access: 'write',
    about: { summary: 'Remember something', query: LANGUAGE, body: NewEntry, answer: MemoryEntry },
    handle: async (request) => ({
      status: 201,
      body: await memory.add(
        readerOf(request.principal),
        readJson(request, NewEntry),
        languageOf(request.query),
      ),
    }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/memory/entries/:id',
    access: 'read',
    about: { summary: 'Every version of an entry, newest first', answer: z.array(MemoryEntry) },
    handle: async ({ principal, params }) => ({
      status: 200,
      body: await memory.versions(readerOf(principal), params['id'] ?? ''),
    }),
  }),
  defineRoute({
    method: 'PUT',
    path: '/api/memory/entries/:id',
    access: 'write',
    about: { summary: 'Another text, as a new version', query: LANGUAGE, body: Text, answer: MemoryEntry },
    handle: async (request) => ({
      status: 200,
      body: await memory.edit(
        readerOf(request.principal),
        request.params['id'] ?? '',
        readJson(request, Text).text,
        languageOf(request.query),
      ),
    }),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/memory/entries/:id/feedback',
    access: 'write',
    about: { summary: 'Move its trust up or down', body: Feedback, answer: MemoryEntry },
    handle: async (request) => ({
      status: 200,
      body: await memory.feedback(
        readerOf(request.principal),
        request.params['id'] ?? '',
        readJson(request, Feedback).helpful,
      ),
    }),
  }),
  ...(['forget', 'restore'] as const).map((word) =>
    defineRoute({
      method: 'POST',
      path: `/api/memory/entries/:id/${word}`,
      access: 'write',
      about: { summary: word === 'forget' ? 'Not found any more' : 'Found again' },
      handle: async ({ principal, params }) => {
        await memory[word](readerOf(principal), params['id'] ?? '');
        return { status: 204 };
      },
    }),
  ),
  defineRoute({
    method: 'DELETE',
    path: '/api/memory/entries/:id',
    access: 'admin',
    about: { summary: 'Erase an entry with all its versions; there is no way back' },
    handle: async ({ principal, params }) => {
      await memory.erase(readerOf(principal), params['id'] ?? '');
      return { status: 204 };
    },
  }),
];

const userRoutes = (memory: ServedMemory): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/memory/user',
    access: 'read',
    about: { summary: 'What is known about a person, and what it rests on', query: { ...OF, ...LANGUAGE } },
    handle: async ({ principal, query }) => ({
      status: 200,
      body: await memory.user(readerOf(principal), scopeOf(query, 'of'), languageOf(query)),
    }),
  }),
  defineRoute({
    method: 'PUT',
    path: '/api/memory/user',
    access: 'write',
    about: { summary: 'Set something by hand: it wins over what is inferred', body: SetUser },
    handle: async (request) => {
      await memory.setUser(readerOf(request.principal), readJson(request, SetUser));
      return { status: 204 };
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/memory/user',
    access: 'write',
    about: {
      summary: 'Forget a thing, a field or everything that is known about a person',
      query: { ...OF, path: '`tech_stack` or `tech_stack.kubernetes`; without it everything' },
    },
    handle: async ({ principal, query }) => {
      const what = { of: scopeOf(query, 'of'), path: query.get('path') ?? undefined };
      return { status: 200, body: { erased: await memory.eraseUser(readerOf(principal), what) } };
    },
  }),
];

const stagedRoutes = (memory: ServedMemory): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/memory/staged',
    access: 'read',
    about: { summary: 'Writes that wait for a person', query: LANGUAGE, answer: z.array(Waiting) },
    handle: async ({ principal, query }) => ({
      status: 200,
      body: await memory.waiting(readerOf(principal), languageOf(query)),
    }),
  }),
  ...(['approve', 'reject'] as const).map((word) =>
    defineRoute({
      method: 'POST',
      path: `/api/memory/staged/:id/${word}`,
      access: 'write',
      person: word === 'approve',
      about: { summary: `${word} a write that waits`, query: LANGUAGE },
      handle: async ({ principal, params, query }) => {
        const write = { id: params['id'] ?? '', approve: word === 'approve' };
        return {
          status: 200,
          body: { said: await memory.settle(readerOf(principal), write, languageOf(query)) },
        };
      },
    }),
  ),
];

/** A token that several people share is nobody's name. */
const readerOf = (principal: Principal | undefined): MemoryReader => ({
  owner: principal?.role === 'admin',
  mayRule: principal !== undefined && principal.person && mayUse(principal, 'approve'),
  ...(principal?.channel === 'user' ? { user: principal.user } : {}),
});

const languageOf = (query: URLSearchParams): Language => (query.get('language') === 'zh' ? 'zh' : 'en');

const scopeOf = (query: URLSearchParams, name: string): string | undefined => oneOf(MemoryScope, query, name);

function oneOf<T>(schema: z.ZodType<T>, query: URLSearchParams, name: string): T | undefined {
  const given = query.get(name);
  if (!given) return undefined;
  const read = schema.safeParse(given);
  if (!read.success) throw fail('input.invalid', `${name}: '${given}' is none.`);
  return read.data;
}
