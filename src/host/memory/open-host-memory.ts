import type { KnownSecrets } from '#kit/redact';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { localEmbedderState, openLocalEmbedder, openRemoteEmbedder } from '#adapters/embed';
import { memoryProviders } from '#adapters/memory';
import { notebookFiles, openMemoryDatabase } from '#adapters/store';
import {
  type Memory,
  type MemoryNotice,
  type Notebooks,
  noticeText,
  openMemory,
  openNotebooks,
  type OutsideMemories,
  outsideMemories,
  type UserModel,
  userModel,
} from '#engines/memory';
import type { Language } from '#kit/language';
import type { Embedder, MemoryCensus, MemoryStore, StagedWrites } from '#spec/ports';
import type { LoadedConfig } from '../config/load-config.ts';
import type { Home } from '../home.ts';
import type { Redactor } from '../redactor.ts';

/** The memory of one home, shared by every conversation and every process that has the home open. */
export interface HostMemory {
  readonly memory: Memory;
  readonly store: MemoryStore & MemoryCensus;
  readonly notebooks: Notebooks;
  readonly user: UserModel;
  readonly staged: StagedWrites;
  readonly outside: OutsideMemories | undefined;
  /** Keys and passwords of this profile: they are not remembered. */
  readonly secrets: KnownSecrets;
  /** What works worse than it could, each said once. */
  takeNotices(): readonly string[];
  close(): Promise<void>;
}

export async function openHostMemory(
  home: Home,
  loaded: LoadedConfig,
  { secrets, text: clean }: Redactor,
  language: Language,
): Promise<HostMemory> {
  await mkdir(home.root, { recursive: true, mode: 0o700 });
  const now = Date.now;
  const notices: string[] = [];
  const tell = (notice: MemoryNotice) => {
    // That there are no vectors is told by `hermes memory`; it is no news in a chat.
    if (notice.kind === 'no_vectors') return;
    notices.push(noticeText(notice, language));
  };
  const { store, index, staged, close } = await openMemoryDatabase(home.file('memory.db'), { clean });
  const files = notebookFiles(home.dir('memories'), { clean });
  const embedder = await openEmbedder(home, loaded);
  const { ranking, provider } = loaded.config.memory;
  const key = (name: string) => loaded.env[name];
  const kinds = (await memoryProviders()).filter(({ name }) => name === provider);
  for (const kind of kinds) {
    const missing = kind.missing(key);
    if (missing) notices.push(`${kind.name}: ${missing.what} ${missing.fix}`);
  }
  const usable = kinds.filter((kind) => !kind.missing(key));
  const outside = usable.length
    ? outsideMemories({ providers: usable.map((kind) => kind.open({ key, fetch })), now, tell })
    : undefined;
  return {
    memory: openMemory({
      store,
      index,
      now,
      ranking,
      language,
      secrets,
      tell,
      ...(embedder ? { embedder } : {}),
    }),
    store,
    notebooks: openNotebooks({ files, store, now, secrets }),
    user: userModel({ files, now }),
    staged,
    outside,
    secrets,
    takeNotices: () => notices.splice(0),
    close: async () => {
      await embedder?.close();
      await close();
    },
  };
}

/** Weights are the same for every profile: they lie beside them. */
export const embedFolder = (home: Home, { env }: Pick<LoadedConfig, 'env'>): string =>
  env.HERMES_EMBED_DIR ?? join(home.base, 'embed');

async function openEmbedder(home: Home, loaded: LoadedConfig): Promise<Embedder | undefined> {
  const { embedder, embed_base_url, embed_model, embed_api_key } = loaded.config.memory;
  if (embedder === 'remote' && embed_base_url && embed_model)
    return openRemoteEmbedder({
      baseUrl: embed_base_url,
      model: embed_model,
      ...(embed_api_key ? { apiKey: embed_api_key } : {}),
      fetch,
    });
  const folder = embedFolder(home, loaded);
  const ready = embedder === 'local' && (await localEmbedderState(folder)).state === 'ready';
  return ready ? openLocalEmbedder(folder) : undefined;
}
