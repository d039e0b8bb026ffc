import { readFileSync } from 'node:fs';
import { openMemoryDatabase } from '#adapters/store';
import { openMemory } from '#engines/memory';
import { clusteredEmbedder } from './clustered-vectors.ts';
import { VIEW } from './people.ts';

const WARM_UP = 20;

/** Opens a filled memory, asks it every question of a file and prints how long the answers took and what it holds. */
const [path = '', questionFile = ''] = process.argv.slice(-2);
const questions = JSON.parse(readFileSync(questionFile, 'utf8')) as string[];
const { store, index, close } = await openMemoryDatabase(path);
const memory = openMemory({ store, index, embedder: clusteredEmbedder, now: Date.now });
const times: number[] = [];
let found = 0;
for (const [at, question] of questions.entries()) {
  const started = performance.now();
  const recalled = await memory.recall(question, VIEW, { limit: 8 });
  if (at >= WARM_UP) times.push(performance.now() - started);
  if (recalled.length > 0) found += 1;
}
times.sort((a, b) => a - b);
const share = (of: number): number => times[Math.floor(times.length * of)] ?? Number.NaN;
const rss = process.memoryUsage().rss / 1e6;
await close();
console.log(JSON.stringify({ p50: share(0.5), p95: share(0.95), rss, found: found / questions.length }));
