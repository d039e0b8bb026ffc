import { homedir } from 'node:os';
import { join } from 'node:path';
import { localEmbedderState, openLocalEmbedder, setUpLocalEmbedder } from '#adapters/embed';
import type { Embedder, Embedding } from '#spec/ports';

/** The folder of the weights; shared with the product unless the variable names another. */
const FOLDER = process.env['HERMES_EMBED_DIR'] ?? join(homedir(), '.hermes', 'embed');
const MEGABYTE = 1_000_000;

/** The local embedder, set up where it is not; undefined, with a line that says so, where that does not work. */
export async function benchEmbedder(say: (line: string) => void): Promise<Embedder | undefined> {
  const { state, bytes } = await localEmbedderState(FOLDER);
  if (state !== 'ready') {
    say(`no embedding weights in ${FOLDER}: fetching them (${Math.round(bytes / MEGABYTE)} MB on disk)`);
    try {
      await setUpLocalEmbedder(FOLDER, {
        signal: new AbortController().signal,
        onProgress: ({ step, what }) => say(`  ${what}: ${step}`),
      });
    } catch (error) {
      say(`${error instanceof Error ? error.message : String(error)}`);
      say('going on without vectors: the figures are those of text alone');
      return undefined;
    }
  }
  return remembering(openLocalEmbedder(FOLDER));
}

/** Texts that come again, in another arm of a comparison, are not computed again. */
function remembering(embedder: Embedder): Embedder {
  const known = new Map<string, Embedding>();
  return {
    embed: async (texts, signal) => {
      const fresh = [...new Set(texts)].filter((text) => !known.has(text));
      const made = await embedder.embed(fresh, signal);
      for (const [at, text] of fresh.entries()) known.set(text, made[at] as Embedding);
      return texts.map((text) => known.get(text) as Embedding);
    },
    close: () => embedder.close(),
  };
}
