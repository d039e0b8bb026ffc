import {
  localEmbedderState,
  type LocalEmbedderState,
  type SetUpProgress,
  setUpLocalEmbedder,
} from '#adapters/embed';
import { type MemoryView, rejectStaged, scopesOf } from '#engines/memory';
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
