import { join } from 'node:path';
import {
  type LocalEmbedderState,
  localEmbedderState,
  type SetUpProgress,
  setUpLocalEmbedder,
} from '#adapters/embed';
import type { LoadedConfig } from '../config/load-config.ts';
import type { Home } from '../home.ts';

interface Opened {
  readonly home: Home;
  readonly loaded: LoadedConfig;
}

/** Weights are the same for every profile: they lie beside them. */
export const embedFolder = ({ home, loaded }: Opened): string =>
  loaded.env.HERMES_EMBED_DIR ?? join(home.base, 'embed');

export const embedderState = (opened: Opened): Promise<LocalEmbedderState> =>
  localEmbedderState(embedFolder(opened));

/** Fetches what vectors need, once for every profile of this user. */
export const setUpEmbedder = (
  opened: Opened,
  signal: AbortSignal,
  onProgress: (progress: SetUpProgress) => void,
): Promise<LocalEmbedderState> => setUpLocalEmbedder(embedFolder(opened), { signal, onProgress });
