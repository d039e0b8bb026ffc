import { z } from 'zod';
import {
  approveStaged,
  type NotebookEdit,
  rejectStaged,
  replyText,
  succeeded,
  viewOf,
} from '#engines/memory';
import { fail } from '#kit/app-error';
import type { Language } from '#kit/language';
import type * as api from '#spec/api';
import type { StagedWrite } from '#spec/data';
import type { HomeMemory } from './home-memory.ts';
import { isStagedRule } from '../incidents/house-rules.ts';
import { absent, type MemoryReader, mustRule, seenScopes } from './memory-reader.ts';

export type WaitingWrite = api.Given<api.WaitingWrite>;

const Telling = z.object({ kind: z.string(), text: z.string(), key: z.string().optional() });

/** Writes of memory that wait, oldest first. Those of skills wait with the skills. */
export async function waitingFor(
  open: HomeMemory,
  reader: MemoryReader,
  language: Language,
): Promise<readonly WaitingWrite[]> {
  const all = await open.staged.list(seenScopes(reader));
  const own = all.filter(({ target }) => target !== 'skill');
  return Promise.all(own.map((write) => viewWrite(open, write, language)));
}

async function viewWrite(open: HomeMemory, write: StagedWrite, language: Language): Promise<WaitingWrite> {
  const { id, scope, shown, why, session, at } = write;
  const head = { id, scope, shown, why, at, ...(session === undefined ? {} : { session }) };
  if (write.target === 'notebook') {
    const edit = write.input as NotebookEdit;
    const reply = await open.notebooks.rehearse(viewOf(scope), edit, language);
    return {
      ...head,
      target: 'notebook',
      place: reply.notebook.file,
      before: edit.old_text ?? '',
      after: edit.action === 'remove' ? '' : (edit.content ?? ''),
      archived: reply.archived,
      ...(succeeded(reply) ? {} : { problem: replyText(reply, language) }),
    };
  }
  const { kind, text, key } = Telling.parse(write.input);
  const [known] = key === undefined ? [] : await open.store.list({ scopes: [scope], key, limit: 1 });
  return { ...head, target: 'entry', place: kind, before: known?.text ?? '', after: text, archived: [] };
}

/** Makes a write that waited, or takes it away. Tells what came of it. */
export async function settleWrite(
  open: HomeMemory,
  reader: MemoryReader,
  { id, approve }: { readonly id: string; readonly approve: boolean },
  language: Language,
): Promise<string> {
  const write = (await open.staged.list(seenScopes(reader))).find((each) => each.id === id);
  if (!write || write.target === 'skill') throw absent(`write '${id}' waiting`);
  const view = viewOf(write.scope);
  if (!approve) return (await rejectStaged({ staged: open.staged, view }, id)).shown;
  if (isStagedRule(write)) mustRule(reader, 'governance_rule');
  const written = await approveStaged({ ...open, view, language }, id);
  if (!written?.ok) throw fail('input.conflict', written?.text ?? `The write '${id}' cannot be made.`);
  return written.text;
}
