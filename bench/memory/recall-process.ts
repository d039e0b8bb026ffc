import { readFileSync } from 'node:fs';
import { openMemoryDatabase } from '#adapters/store';
import { openMemory } from '#engines/memory';
import { clusteredEmbedder } from './clustered-vectors.ts';
import { VIEW } from './people.ts';

const WARM_UP = 60;

/** Opens a filled memory, asks it every question of a file and prints how long the answers took and what it holds. */
const [path = '', questionFile = ''] = process.argv.slice(-2);
const questions = JSON.parse(readFileSync(questionFile, 'utf8')) as string[];
const { store, index, close } = await openMemoryDatabase(path);
const memory = openMemory({ store, index, embedder: clusteredEmbedder, now: Date.now });
const times: number[] = [];
const busy: number[] = [];
let found = 0;
for (const [at, question] of questions.entries()) {
  const [started, before] = [performance.now(), process.cpuUsage()];
  const recalled = await memory.recall(question, VIEW, { limit: 8 });
  const [ended, { user, system }] = [performance.now(), process.cpuUsage(before)];
  if (at >= WARM_UP) times.push(ended - started);
  if (at >= WARM_UP) busy.push((user + system) / 1_000);
  if (recalled.length > 0) found += 1;
}
const share = (list: readonly number[], of: number): number =>
  list.toSorted((a, b) => a - b)[Math.floor(list.length * of)] ?? Number.NaN;
const rss = process.memoryUsage().rss / 1e6;
await close();
const [p50, p95, cpuP95] = [share(times, 0.5), share(times, 0.95), share(busy, 0.95)];
console.log(JSON.stringify({ p50, p95, cpuP95, rss, found: found / questions.length }));
