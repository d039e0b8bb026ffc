import { embedderState, embedFolder } from './embedder.ts';
import { openLocalEmbedder, openRemoteEmbedder } from '#adapters/embed';
import { memoryProviders } from '#adapters/memory';
import { notebookFiles, openMemoryDatabase } from '#adapters/store';
import type { HomeMemory } from '#app/memory';
import type { Redactor } from '#app';
import {
  type MemoryNotice,
  noticeText,
  openMemory,
  openNotebooks,
  outsideMemories,
  userModel,
} from '#engines/memory';
import { say } from '#kit/text';
import type { Language } from '#kit/language';
import type { Embedder } from '#spec/ports';
import type { LoadedConfig } from '../config/load-config.ts';
import type { Home } from '../home.ts';

/** The memory of one home, opened. Its sentences are said in the language of whoever asks. */
export interface OpenedMemory {
  speaking(language: Language): HomeMemory;
  close(): Promise<void>;
}

export async function openHostMemory(
  home: Home,
  loaded: LoadedConfig,
  { secrets, text: clean }: Redactor,
): Promise<OpenedMemory> {
  await home.make();
  const now = Date.now;
  const { store, index, staged, close } = await openMemoryDatabase(home.file('memory.db'), { clean });
  const files = notebookFiles(home.dir('memories'), { clean });
  const embedder = await openEmbedder(home, loaded);
  const { ranking, provider } = loaded.config.memory;
  const key = (name: string) => loaded.env[name];
  const kinds = (await memoryProviders()).filter(({ name }) => name === provider);
  const usable = kinds.filter((kind) => !kind.missing(key));
  const notebooks = openNotebooks({ files, store, now, secrets });
  const user = userModel({ files, now });
  const speaking = (language: Language): HomeMemory => {
    const notices = kinds.flatMap((kind) => {
      const missing = kind.missing(key);
      return missing ? [`${kind.name}: ${say(missing.what, 'en')} ${say(missing.fix, 'en')}`] : [];
    });
    const tell = (notice: MemoryNotice) => {
      // That there are no vectors is told by `hermes memory`; it is no news in a chat.
      if (notice.kind !== 'no_vectors') notices.push(noticeText(notice, language));
    };
    const outside = usable.length
      ? outsideMemories({ providers: usable.map((kind) => kind.open({ key, fetch })), now, tell })
      : undefined;
    const memory = openMemory({
      store,
      index,
      now,
      ranking,
      language,
      secrets,
      tell,
      ...(embedder ? { embedder } : {}),
    });
    return { memory, store, notebooks, user, staged, outside, secrets, takeNotices: () => notices.splice(0) };
  };
  const spoken = new Map<Language, HomeMemory>();
  return {
    speaking: (language) => {
      const known = spoken.get(language) ?? speaking(language);
      spoken.set(language, known);
      return known;
    },
    close: async () => {
      await embedder?.close();
      await close();
    },
  };
}

async function openEmbedder(home: Home, loaded: LoadedConfig): Promise<Embedder | undefined> {
  const { embedder, embed_base_url, embed_model, embed_api_key } = loaded.config.memory;
  if (embedder === 'remote' && embed_base_url && embed_model)
    return openRemoteEmbedder({
      baseUrl: embed_base_url,
      model: embed_model,
      ...(embed_api_key ? { apiKey: embed_api_key } : {}),
      fetch,
    });
  const ready = embedder === 'local' && (await embedderState({ home, loaded })).state === 'ready';
  return ready ? openLocalEmbedder(embedFolder({ home, loaded })) : undefined;
}
