import {
  localEmbedderState,
  type LocalEmbedderState,
  type SetUpProgress,
  setUpLocalEmbedder,
} from '#adapters/embed';
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
import type { Host } from '../open-host.ts';
import { approveWrite } from './memory-command.ts';
import { embedFolder } from './open-host-memory.ts';

export const embedderState = (host: Host): Promise<LocalEmbedderState> =>
  localEmbedderState(embedFolder(host.home, host.loaded));

/** Fetches what vectors need, once for every profile of this user. */
export const setUpEmbedder = (
  host: Host,
  signal: AbortSignal,
  onProgress: (progress: SetUpProgress) => void,
): Promise<LocalEmbedderState> =>
  setUpLocalEmbedder(embedFolder(host.home, host.loaded), { signal, onProgress });

export const waitingWrites = async (
  host: Host,
  view: MemoryView,
  language: Language,
): Promise<readonly StagedWrite[]> => (await host.memory(language)).staged.list(scopesOf(view));

export const approveMemoryWrite = approveWrite;

export async function rejectMemoryWrite(
  host: Host,
  view: MemoryView,
  id: string,
  language: Language,
): Promise<string> {
  const { staged } = await host.memory(language);
  return (await rejectStaged({ staged, view }, id)).shown;
}

/** Takes the last edit of a notebook back, or makes of it what a version was. */
export async function undoNotebook(
  host: Host,
  view: MemoryView,
  { name, version, language }: { name: NotebookName; version: number | undefined; language: Language },
): Promise<string> {
  const { notebooks } = await host.memory(language);
  const reply = await notebooks.undo(view, name, version);
  const line = replyText(reply, language);
  if (!succeeded(reply)) throw fail('input.not_found', line, `hermes memory history ${name}`);
  return line;
}
