import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSessionDatabase, type SessionDatabase } from '#adapters/store';
import { indexMissing, lazyIndexer, searchSessions } from '#engines/retrieval';
import type { Session } from '#spec/data';
import type { TranscriptEntry } from '#spec/ports';
import { defineBench } from '../bench.ts';
import { conversationText, type TextSource } from '../conversation-text.ts';

const MESSAGES = 100_000;
const BATCH = 1_000;
const SINGLE = 5_000;
const QUESTIONS = 400;
const AUDIENCE = { source: 'cli', user: 'bench', chat: 'bench' };
const START = Date.UTC(2026, 0, 1);

/** Writing and searching a hundred thousand messages, English and Chinese, through the store and the search engine. */
export const bench = defineBench({
  summary: 'a hundred thousand messages: writing, searching, size',
  goals: {
    insert_batch_per_s: { least: 10_000 },
    insert_single_per_s: { least: 3_000 },
    question_p95_ms: { most: 25 },
    cjk_p95_ms: { most: 10 },
    size_ratio: { most: 3 },
  },
  run: async ({ say }) => {
    const folder = mkdtempSync(join(tmpdir(), 'hermes-bench-'));
    const path = join(folder, 'state.db');
    try {
      const texts = conversationText(1);
      const db = await openSessionDatabase(path);
      const batch = await writeBatches(db, texts);
      say(`batches: ${BATCH} messages a transaction, cut into terms and indexed, all inside the clock`);
      const single = await writeSingles(db, texts);
      say(`single: one transaction a message with its fact, indexed in groups of 64, all inside the clock`);
      say(`         (without indexing ${Math.round(single.written)} a second)`);
      const questions = await times(db, () => texts.question(8));
      const chinese = await times(db, () => texts.chineseWords(2));
      say(`searches: question p50 ${questions.p50.toFixed(1)} ms, Chinese p50 ${chinese.p50.toFixed(1)} ms`);
      await db.close();
      const size = statSync(path).size;
      say(`${MESSAGES + SINGLE} messages, ${mb(texts.bytes())} MB of text, ${mb(size)} MB on disk`);
      return {
        insert_batch_per_s: Math.round(batch),
        insert_single_per_s: Math.round(single.indexed),
        question_p95_ms: Number(questions.p95.toFixed(2)),
        cjk_p95_ms: Number(chinese.p95.toFixed(2)),
        size_ratio: Number((size / texts.bytes()).toFixed(2)),
      };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
});

const mb = (bytes: number): string => (bytes / 1e6).toFixed(1);

async function writeBatches(db: SessionDatabase, texts: TextSource): Promise<number> {
  let ms = 0;
  for (let at = 0; at < MESSAGES; at += BATCH) {
    const session = await newSession(db, `s${at}`);
    const entries = Array.from({ length: BATCH }, (_, i) => entry(`m${at + i}`, texts.message()));
    const started = performance.now();
    await db.transcript.append(session, entries, []);
    await indexMissing(db.index);
    ms += performance.now() - started;
  }
  return (MESSAGES / ms) * 1_000;
}

async function writeSingles(
  db: SessionDatabase,
  texts: TextSource,
): Promise<{ readonly written: number; readonly indexed: number }> {
  const session = await newSession(db, 'single');
  const entries = Array.from({ length: SINGLE }, (_, i) => entry(`x${i}`, texts.message()));
  const indexer = lazyIndexer(db.index);
  let indexing = 0;
  const started = performance.now();
  for (const message of entries) {
    const fact = { type: 'message.added', at: message.at, data: { message: message.id, role: 'user' } };
    await db.transcript.append(session, [message], [fact]);
    const written = performance.now();
    await indexer.wrote(1);
    indexing += performance.now() - written;
  }
  const flushed = performance.now();
  await indexer.flush();
  const ended = performance.now();
  const ms = ended - started;
  indexing += ended - flushed;
  return { written: (SINGLE / (ms - indexing)) * 1_000, indexed: (SINGLE / ms) * 1_000 };
}

async function times(
  db: SessionDatabase,
  query: () => string,
): Promise<{ readonly p50: number; readonly p95: number }> {
  const taken: number[] = [];
  for (let i = -20; i < QUESTIONS; i++) {
    const text = query();
    const started = performance.now();
    await searchSessions(text, db, { scope: { audience: AUDIENCE }, limit: 10 });
    if (i >= 0) taken.push(performance.now() - started);
  }
  taken.sort((a, b) => a - b);
  const at = (share: number): number => taken[Math.floor(taken.length * share)] ?? Number.NaN;
  return { p50: at(0.5), p95: at(0.95) };
}

async function newSession(db: SessionDatabase, id: string): Promise<string> {
  const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
  const session: Session = {
    ...AUDIENCE,
    id,
    createdAt: START,
    updatedAt: START,
    messages: 0,
    usage,
    cost: 0,
  };
  await db.sessions.create(session, { system: [], tools: [] });
  return id;
}

let minutes = 0;

function entry(id: string, text: string): TranscriptEntry {
  const message = { role: 'user', content: [{ type: 'text', text }] } as const;
  return {
    id: `msg_mg1x2k3l${id.padStart(10, '0')}`,
    turn: 1,
    at: START + minutes++ * 60_000,
    state: 'active',
    kind: 'plain',
    message: { ...message, content: [...message.content] },
  };
}
