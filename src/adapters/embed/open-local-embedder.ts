import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { fail } from '#kit/app-error';
import type { Embedder, Embedding } from '#spec/ports';
import { localEmbedderState } from './local-embedder-state.ts';
import { type LocalModel, modelFor } from './local-models.ts';
import { type Inference, openInference } from './open-inference.ts';
import { type Tokenise, wordPiece } from './word-piece.ts';

/** One step of the thread takes at most so much, so that a question never waits long behind many texts. */
const MOST_ROWS = 16;
const MOST_TOKENS = 512;
/** The models take a hundred megabytes and are loaded again in half a second: idle ones are let go. */
const IDLE_MS = 5 * 60_000;

const Tokeniser = z.object({ model: z.object({ vocab: z.record(z.string(), z.number()) }) });

/** Runs the models in the folder that `setUpLocalEmbedder` filled. Nothing is loaded before the first text comes. */
export function openLocalEmbedder(folder: string, { idleMs = IDLE_MS } = {}): Embedder {
  let inference: Promise<Inference> | undefined;
  let running = 0;
  let idle: NodeJS.Timeout | undefined;
  const tokenisers = new Map<string, Promise<Tokenise>>();
  const tokeniser = (model: LocalModel): Promise<Tokenise> => {
    const known = tokenisers.get(model.space) ?? loadTokeniser(folder, model);
    tokenisers.set(model.space, known);
    return known;
  };
  const start = async (): Promise<Inference> => {
    const { state, missing } = await localEmbedderState(folder);
    if (state === 'ready') return openInference(folder);
    const what = missing.length > 0 ? `: ${missing.join(', ')}` : '';
    throw fail('tool.failed', `the local embedder is not set up${what}`);
  };
  const stop = async () => {
    // Whoever comes from now on starts anew.
    const last = inference;
    inference = undefined;
    tokenisers.clear();
    const [open] = await Promise.allSettled([last]);
    if (open.status === 'fulfilled') await open.value?.close();
  };
  const embed = async (texts: readonly string[], signal: AbortSignal): Promise<readonly Embedding[]> => {
    inference ??= start();
    const open = await inference.catch((error: unknown) => {
      inference = undefined;
      throw error;
    });
    const found: Embedding[] = [];
    for (const [model, places] of byModel(texts)) {
      const tokenise = await tokeniser(model);
      const rows = places.map((at) => ({ at, tokens: tokenise(texts[at] as string, model.mostTokens) }));
      for (const batch of batches(rows)) {
        signal.throwIfAborted();
        const vectors = await open.run(
          model,
          batch.map(({ tokens }) => tokens),
        );
        for (const [row, { at }] of batch.entries()) {
          const vector = vectors.slice(row * model.dimensions, (row + 1) * model.dimensions);
          found[at] = { space: model.space, vector };
        }
      }
    }
    signal.throwIfAborted();
    return found;
  };
  return {
    embed: async (texts, signal) => {
      signal.throwIfAborted();
      if (texts.length === 0) return [];
      clearTimeout(idle);
      running++;
      try {
        return await embed(texts, signal);
      } finally {
        running--;
        if (running === 0) idle = setTimeout(() => void stop(), idleMs).unref();
      }
    },
    close: async () => {
      clearTimeout(idle);
      await stop();
    },
  };
}

async function loadTokeniser(folder: string, { space, lowercase }: LocalModel): Promise<Tokenise> {
  const file = await readFile(join(folder, space, 'tokenizer.json'), 'utf8');
  return wordPiece({ vocabulary: Tokeniser.parse(JSON.parse(file)).model.vocab, lowercase });
}

function byModel(texts: readonly string[]): ReadonlyMap<LocalModel, readonly number[]> {
  const places = new Map<LocalModel, number[]>();
  for (const [at, text] of texts.entries()) {
    const model = modelFor(text);
    const known = places.get(model);
    if (known) known.push(at);
    else places.set(model, [at]);
  }
  return places;
}

/** Rows of like lengths together: every row costs as much as the longest of its batch. */
function batches<T extends { readonly tokens: readonly number[] }>(rows: readonly T[]): T[][] {
  const made: T[][] = [];
  for (const row of rows.toSorted((a, b) => a.tokens.length - b.tokens.length)) {
    const batch = made.at(-1);
    const fits = batch && batch.length < MOST_ROWS && (batch.length + 1) * row.tokens.length <= MOST_TOKENS;
    if (fits) batch.push(row);
    else made.push([row]);
  }
  return made;
}
