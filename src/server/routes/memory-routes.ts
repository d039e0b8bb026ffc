import type { MemoryReader, ServedMemory } from '#app/memory';
import { fail } from '#kit/app-error';
import { API, NotebookName } from '#spec/api';
import type { Principal, Route } from '#spec/ports';
import { mayUse } from '../authenticate.ts';
import { implement } from '../implement.ts';

const { memory: MEMORY } = API;

/** What Hermes keeps from one conversation to the next. */
export const memoryRoutes = (memory: ServedMemory): Route[] => [
  implement(MEMORY.overview, async ({ principal }) => ({ body: await memory.overview(readerOf(principal)) })),
  ...notebookRoutes(memory),
  ...entryRoutes(memory),
  ...userRoutes(memory),
  ...stagedRoutes(memory),
  implement(MEMORY.cleanup, async ({ body: { days } }) => ({ body: await memory.cleanup(days) })),
  implement(MEMORY.export, async () => ({
    headers: {
      'content-type': 'application/x-ndjson; charset=utf-8',
      'content-disposition': 'attachment; filename="memories.jsonl"',
    },
    body: memory.export(),
  })),
];

const notebookRoutes = (memory: ServedMemory): Route[] => [
  implement(MEMORY.notebooks, async ({ principal, query: { of, language } }) => ({
    body: await memory.notebooks(readerOf(principal), of, language),
  })),
  implement(MEMORY.notebookPast, async ({ principal, params, query: { of } }) => ({
    body: await memory.notebookPast(readerOf(principal), { name: nameOf(params), of }),
  })),
  implement(MEMORY.restoreNotebook, async ({ principal, params, query: { language }, body }) => {
    const meant = { ...body, name: nameOf(params) };
    return { body: await memory.restoreNotebook(readerOf(principal), meant, language) };
  }),
  ...[MEMORY.previewNotebook, MEMORY.changeNotebook].map((contract) =>
    implement(contract, async ({ principal, params, query: { language }, body }) => {
      const options = { language, rehearse: contract === MEMORY.previewNotebook };
      const change = { ...body, name: nameOf(params) };
      return { body: await memory.change(readerOf(principal), change, options) };
    }),
  ),
];

function nameOf(params: { readonly name: string }): NotebookName {
  const name = NotebookName.safeParse(params.name);
  if (name.success) return name.data;
  throw fail('input.not_found', 'There is no such notebook.', NotebookName.options.join(', '));
}

const entryRoutes = (memory: ServedMemory): Route[] => [
  implement(MEMORY.entries, async ({ principal, query: { q: query = '', ...asked }, signal }) => ({
    body: await memory.find(readerOf(principal), { ...asked, query }, signal),
  })),
  implement(MEMORY.addEntry, async ({ principal, query: { language }, body }) => ({
    body: await memory.add(readerOf(principal), body, language),
  })),
  implement(MEMORY.versions, async ({ principal, params }) => ({
    body: await memory.versions(readerOf(principal), params.id),
  })),
  implement(MEMORY.editEntry, async ({ principal, params, query: { language }, body: { text } }) => ({
    body: await memory.edit(readerOf(principal), params.id, text, language),
  })),
  implement(MEMORY.feedback, async ({ principal, params, body: { helpful } }) => ({
    body: await memory.feedback(readerOf(principal), params.id, helpful),
  })),
  ...(['forget', 'restore', 'erase'] as const).map((word) =>
    implement(MEMORY[word], async ({ principal, params }) => {
      await memory[word](readerOf(principal), params.id);
      return {};
    }),
  ),
];

const userRoutes = (memory: ServedMemory): Route[] => [
  implement(MEMORY.user, async ({ principal, query: { of, language } }) => ({
    body: await memory.user(readerOf(principal), of, language),
  })),
  implement(MEMORY.setUser, async ({ principal, body }) => {
    await memory.setUser(readerOf(principal), body);
    return {};
  }),
  implement(MEMORY.eraseUser, async ({ principal, query }) => ({
    body: { erased: await memory.eraseUser(readerOf(principal), query) },
  })),
];

const stagedRoutes = (memory: ServedMemory): Route[] => [
  implement(MEMORY.staged, async ({ principal, query: { language } }) => ({
    body: await memory.waiting(readerOf(principal), language),
  })),
  ...[MEMORY.approve, MEMORY.reject].map((contract) =>
    implement(contract, async ({ principal, params, query: { language } }) => {
      const write = { id: params.id, approve: contract === MEMORY.approve };
      return { body: { said: await memory.settle(readerOf(principal), write, language) } };
    }),
  ),
];

/** A token that several people share is nobody's name. */
const readerOf = (principal: Principal | undefined): MemoryReader => ({
  owner: principal?.role === 'admin',
  mayRule: principal !== undefined && principal.person && mayUse(principal, 'approve'),
  ...(principal?.channel === 'user' ? { user: principal.user } : {}),
});
