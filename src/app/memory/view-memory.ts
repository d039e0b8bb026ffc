import {
  type MemoryView,
  type NotebookName,
  rejectStaged,
  replyText,
  scopesOf,
  succeeded,
} from '#engines/memory';
import { fail } from '#kit/app-error';
import type { Language } from '#kit/language';
import type { StagedWrite } from '#spec/data';
import type { Dependencies } from '../dependencies.ts';
import { approveWrite } from './memory-command.ts';

type Needs = Pick<Dependencies, 'memory'>;

export const waitingWrites = async (
  deps: Needs,
  view: MemoryView,
  language: Language,
): Promise<readonly StagedWrite[]> => (await deps.memory(language)).staged.list(scopesOf(view));

export const approveMemoryWrite = approveWrite;

export async function rejectMemoryWrite(
  deps: Needs,
  view: MemoryView,
  id: string,
  language: Language,
): Promise<string> {
  const { staged } = await deps.memory(language);
  return (await rejectStaged({ staged, view }, id)).shown;
}

/** Takes the last edit of a notebook back, or makes of it what a version was. */
export async function undoNotebook(
  deps: Needs,
  view: MemoryView,
  { name, version, language }: { name: NotebookName; version: number | undefined; language: Language },
): Promise<string> {
  const { notebooks } = await deps.memory(language);
  const reply = await notebooks.undo(view, name, version);
  const line = replyText(reply, language);
  if (!succeeded(reply)) throw fail('input.not_found', line, `hermes memory history ${name}`);
  return line;
}
