import { z } from 'zod';
import { fail } from '#kit/app-error';
import type { Language } from '#kit/language';
import { MemoryContext, MemoryKind, MemoryProvenance, MemoryScope, type StagedWrite } from '#spec/data';
import type { StagedWrites } from '#spec/ports';
import type { Memory, Telling } from './entries/memory.ts';
import { editNotebook, keepEntry, type Written } from './memory-writer.ts';
import { NOTEBOOK_NAMES, placeOf } from './notebooks/notebook-kinds.ts';
import type { NotebookEdit, Notebooks } from './notebooks/open-notebooks.ts';
import { type MemoryView, scopesOf } from './scopes.ts';

const Edit = z.object({
  action: z.enum(['add', 'replace', 'remove']),
  target: z.enum(NOTEBOOK_NAMES),
  content: z.string().optional(),
  old_text: z.string().optional(),
});
const Entry = z.object({
  kind: MemoryKind,
  text: z.string(),
  scope: MemoryScope,
  provenance: MemoryProvenance,
  key: z.string().optional(),
  context: MemoryContext.optional(),
  trust: z.number().optional(),
  at: z.number().optional(),
  expiresAt: z.number().optional(),
});

export interface StagedDeps {
  readonly staged: StagedWrites;
  readonly notebooks: Notebooks;
  readonly memory: Memory;
  readonly view: MemoryView;
  readonly language: Language;
}

/**
 * Makes a write that waited. It stops waiting when it is made: what fails, or is cut off in between, can be approved
 * again, and does nothing the second time. Those of skills belong to the skills: they give undefined and stay.
 */
export async function approveStaged(deps: StagedDeps, id: string): Promise<Written | undefined> {
  const { staged, notebooks, memory, view, language } = deps;
  const write = await find(deps, id);
  if (write.target === 'skill') return undefined;
  const run = write.target === 'notebook' ? notebookRun() : entryRun();
  const written = await run();
  if (written.ok) await staged.take(id);
  return written;

  function notebookRun(): () => Promise<Written> {
    const edit = Edit.parse(write.input) as NotebookEdit;
    // The write belongs to one notebook; who approves it elsewhere must not move it into their own.
    if (placeOf(edit.target, view).scope !== write.scope)
      throw fail('input.invalid', `The write '${id}' belongs to another conversation`);
    return () => editNotebook(notebooks, view, edit, language);
  }
  function entryRun(): () => Promise<Written> {
    const telling = Entry.parse(write.input) as Telling;
    return () => keepEntry(memory, telling, view, language);
  }
}

/** Takes a write out without making it. */
export async function rejectStaged(
  deps: Pick<StagedDeps, 'staged' | 'view'>,
  id: string,
): Promise<StagedWrite> {
  await find(deps, id);
  const taken = await deps.staged.take(id);
  if (!taken) throw gone(id);
  return taken;
}

async function find({ staged, view }: Pick<StagedDeps, 'staged' | 'view'>, id: string): Promise<StagedWrite> {
  const write = (await staged.list(scopesOf(view))).find((waiting) => waiting.id === id);
  if (!write) throw gone(id);
  return write;
}

const gone = (id: string) =>
  fail('input.invalid', `No write '${id}' is waiting`, '/memory pending lists them');
