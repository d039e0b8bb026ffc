import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type MemoryDatabase, openMemoryDatabase } from '#adapters/store';
import { openMemory, scopesOf } from '#engines/memory';
import type { Embedder } from '#spec/ports';
import { defineBench } from '../bench.ts';
import { conversationText, type TextSource } from '../conversation-text.ts';
import { clusteredEmbedder } from '../memory/clustered-vectors.ts';
import { scopeAt, VIEW } from '../memory/people.ts';

const ENTRIES = 100_000;
/** So many are put in one transaction, then get their terms and vectors. */
const GROUP = 50;
const MEASURED = 5_000;
const WARM_UP = 2_000;
const QUESTIONS = 460;
const COMPARED = 20;
const START = Date.UTC(2026, 0, 1);
const RECALL_PROCESS = fileURLToPath(new URL('../memory/recall-process.ts', import.meta.url));

interface Recalled {
  readonly p50: number;
  readonly p95: number;
  /** Processor time, which other programs on the machine hardly change. */
  readonly cpuP95: number;
  readonly rss: number;
  readonly found: number;
}

/** Remembering and recalling at a hundred thousand entries, through the engine, with vectors that need no model. */
export const bench = defineBench({
  summary: 'a hundred thousand memories: recall by text and vectors, cost of one more, memory of the process',
  goals: { recall_p95_ms: { most: 30 }, insert_growth: { most: 1.5 }, rss_mb: { most: 300 } },
  run: async ({ say }) => {
    const folder = mkdtempSync(join(tmpdir(), 'hermes-bench-'));
    try {
      await fill(join(folder, 'warm-up.db'), conversationText(2), WARM_UP);
      const path = join(folder, 'memory.db');
      const texts = conversationText(1);
      const costs = await fill(path, texts, ENTRIES);
      const per = (part: readonly number[]) => part.reduce((sum, ms) => sum + ms, 0) / part.length / GROUP;
      const first = per(costs.slice(0, MEASURED / GROUP));
      const last = per(costs.slice(-MEASURED / GROUP));
      say(
        `inserts: ${GROUP} a transaction, terms and vectors inside the clock; over all ${per(costs).toFixed(3)} ms`,
      );
      const recalled = recallIn(folder, path, texts);
      say(
        `recall: p50 ${recalled.p50.toFixed(1)} ms; ${(recalled.found * 100).toFixed(1)} % found something`,
      );
      say(
        `${(texts.bytes() / 1e6).toFixed(1)} MB of text, ${(statSync(path).size / 1e6).toFixed(1)} MB on disk`,
      );
      return {
        recall_p95_ms: Number(recalled.p95.toFixed(2)),
        recall_cpu_p95_ms: Number(recalled.cpuP95.toFixed(2)),
        insert_first_ms: Number(first.toFixed(4)),
        insert_last_ms: Number(last.toFixed(4)),
        insert_growth: Number((last / first).toFixed(2)),
        rss_mb: Math.round(recalled.rss),
        nearest_found: await nearestFound(path),
      };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
});

/** Milliseconds that each group took. */
async function fill(path: string, texts: TextSource, entries: number): Promise<number[]> {
  const { store, index, close } = await openMemoryDatabase(path);
  const { embedder, prepare } = preparedEmbedder();
  const memory = openMemory({ store, index, embedder, now: Date.now });
  const costs: number[] = [];
  for (let from = 0; from < entries; from += GROUP) {
    const group = Array.from({ length: GROUP }, (_, at) => ({
      scope: scopeAt(from + at),
      kind: 'fact' as const,
      text: texts.message(),
      provenance: { by: 'user' as const, session: `s${Math.floor(from / 500)}` },
      at: START + (from + at) * 60_000,
    }));
    await prepare(group.map(({ text }) => text));
    const started = performance.now();
    await store.put(group);
    await memory.indexPending({ most: GROUP });
    costs.push(performance.now() - started);
  }
  await close();
  return costs;
}

/** Vectors are made before the clock starts: what a model would take is no part of it. */
function preparedEmbedder(): { embedder: Embedder; prepare(texts: readonly string[]): Promise<void> } {
  const signal = new AbortController().signal;
  let made = new Map<string, Awaited<ReturnType<Embedder['embed']>>[number]>();
  const embed: Embedder['embed'] = async (texts) =>
    texts.map((text) => {
      const vector = made.get(text);
      if (!vector) throw new Error('a vector was not prepared');
      return vector;
    });
  return {
    embedder: { embed, close: clusteredEmbedder.close },
    prepare: async (texts) => {
      const vectors = await clusteredEmbedder.embed(texts, signal);
      made = new Map(vectors.map((vector, at) => [texts[at] as string, vector]));
    },
  };
}

/** In a process of its own that has done nothing else, started as the launcher does, so that its memory is what recall takes. */
function recallIn(folder: string, path: string, texts: TextSource): Recalled {
  const questions = Array.from({ length: QUESTIONS }, (_, at) =>
    at % 4 === 3 ? texts.chineseWords(2) : texts.question(8),
  );
  const file = join(folder, 'questions.json');
  writeFileSync(file, JSON.stringify(questions));
  const printed = execFileSync(process.execPath, ['--max-semi-space-size=16', RECALL_PROCESS, path, file], {
    encoding: 'utf8',
    cwd: join(import.meta.dirname, '..', '..'),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(printed) as Recalled;
}

/** The share of the ten truly nearest entries that the search by vectors finds. */
async function nearestFound(path: string): Promise<number> {
  const db = await openMemoryDatabase(path);
  try {
    const scopes = scopesOf(VIEW);
    const vectors = await everyVector(db, scopes);
    const signal = new AbortController().signal;
    let right = 0;
    for (let at = 0; at < COMPARED; at++) {
      const [query] = await clusteredEmbedder.embed([`question ${at}`], signal);
      if (!query) continue;
      const truth = vectors
        .map(({ id, vector }) => ({ id, similarity: dot(vector, query.vector) }))
        .toSorted((a, b) => b.similarity - a.similarity)
        .slice(0, 10);
      const got = new Set((await db.index.byVector(query, scopes, 10)).map(({ entry }) => entry.id));
      right += truth.filter(({ id }) => got.has(id)).length;
    }
    return Number((right / (COMPARED * 10)).toFixed(3));
  } finally {
    await db.close();
  }
}

async function everyVector(
  { store }: MemoryDatabase,
  scopes: readonly string[],
): Promise<readonly { readonly id: string; readonly vector: Float32Array }[]> {
  const signal = new AbortController().signal;
  const entries = await store.list({ scopes, limit: ENTRIES });
  const vectors = await clusteredEmbedder.embed(
    entries.map(({ text }) => text),
    signal,
  );
  return entries.map(({ id }, at) => ({ id, vector: vectors[at]?.vector ?? new Float32Array() }));
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] as number) * (b[at] as number);
  return sum;
}
