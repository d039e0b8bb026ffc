import { createHash } from 'node:crypto';
import {
  NOTEBOOK_NAMES,
  type NotebookEdit,
  type NotebookName,
  type NotebookReply,
  type NotebookVersion,
  replyText,
  scanMemory,
  succeeded,
  viewOf,
} from '#engines/memory';
import { fail } from '#kit/app-error';
import type { Language } from '#kit/language';
import type * as api from '#spec/api';
import type { MemoryScope } from '#spec/data';
import type { HomeMemory } from './home-memory.ts';
import { absent, type MemoryReader, sees } from './memory-reader.ts';

export type NotebookView = api.Given<api.Notebook>;

/** A change of one notebook, by the id of the entry that it changes. */
export type NotebookChange = api.Given<api.NotebookChange> & { readonly name: NotebookName };

export type NotebookChanged = api.Given<api.NotebookChanged>;

const idOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 24);

/** The notebooks of a person or a chat, and those of the team. */
export async function viewNotebooks(
  { notebooks }: HomeMemory,
  of: MemoryScope | undefined,
  language: Language,
): Promise<readonly NotebookView[]> {
  const view = viewOf(of ?? 'team');
  const read = await Promise.all(
    NOTEBOOK_NAMES.filter((name) => !(view.shared && name === 'user')).map((name) =>
      notebooks.read(view, name),
    ),
  );
  return read
    .filter(({ place }) => place.team || of !== undefined)
    .map(({ place: { name, file, scope, team, limit }, entries }) => ({
      name,
      file,
      scope,
      team,
      limit,
      used: entries.join('\n§\n').length,
      entries: entries.map((text) => {
        const { refused } = scanMemory(text, language);
        return { id: idOf(text), text, ...(refused === undefined ? {} : { refused }) };
      }),
    }));
}

/** Which notebook is meant, and whose. */
export type NotebookMeant = Pick<NotebookChange, 'name' | 'of'>;

/** The place of a notebook, for somebody who may see it. */
async function placed({ notebooks }: HomeMemory, reader: MemoryReader, { name, of }: NotebookMeant) {
  const view = viewOf(of ?? 'team');
  const { place, entries } = await notebooks.read(view, name);
  if (!sees(reader, place.scope) || (!place.team && of === undefined)) throw absent('notebook');
  return { view, place, entries };
}

/** What it was before its last edits, newest first. */
export async function notebookPast(
  open: HomeMemory,
  reader: MemoryReader,
  meant: NotebookMeant,
): Promise<readonly NotebookVersion[]> {
  const { view } = await placed(open, reader, meant);
  return open.notebooks.history(view, meant.name);
}

/** Makes of it what it was in a version. */
export async function restoreNotebook(
  open: HomeMemory,
  reader: MemoryReader,
  meant: NotebookMeant & { readonly version: number },
  language: Language,
): Promise<NotebookChanged> {
  const { view, place, entries: before } = await placed(open, reader, meant);
  const reply = await open.notebooks.undo(view, meant.name, meant.version);
  const said = replyText(reply, language);
  if (!succeeded(reply)) throw fail('input.not_found', said);
  const { used, entries: after, archived } = reply;
  return { ok: true, said, used, limit: place.limit, before, after, archived };
}

/** Changes a notebook, or tells what that would come to. Throws what the scan refuses, unless it is only told. */
export async function changeNotebook(
  open: HomeMemory,
  reader: MemoryReader,
  { name, of, action, entry, content }: NotebookChange,
  options: { readonly language: Language; readonly rehearse: boolean },
): Promise<NotebookChanged> {
  const { language, rehearse } = options;
  const { notebooks } = open;
  const { view, place, entries: before } = await placed(open, reader, { name, of });
  const old = entry === undefined ? undefined : before.find((text) => idOf(text) === entry);
  if (action !== 'add' && old === undefined)
    throw fail('input.conflict', 'This entry was changed meanwhile.', 'Look at the notebook again.');
  const edit: NotebookEdit = { action, target: name, content, old_text: old };
  const reply = rehearse
    ? await notebooks.rehearse(view, edit, language)
    : await make(notebooks, view, edit, language);
  const said = replyText(reply, language);
  if (!rehearse && !succeeded(reply)) throw fail('input.invalid', said);
  const { used, entries: after, archived } = reply;
  return { ok: succeeded(reply), said, used, limit: place.limit, before, after, archived };
}

const make = (
  notebooks: HomeMemory['notebooks'],
  view: ReturnType<typeof viewOf>,
  { action, target, content = '', old_text = '' }: NotebookEdit,
  language: Language,
): Promise<NotebookReply> =>
  action === 'add'
    ? notebooks.add(view, target, content, language)
    : action === 'replace'
      ? notebooks.replace(view, target, old_text, content, language)
      : notebooks.remove(view, target, old_text);
