import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { nearest } from '#kit/nearest';
import { type Bench, goalText, MissingData, meets } from './bench.ts';

const folder = join(import.meta.dirname, 'benches');
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => basename(file, '.ts'));

const load = async (name: string): Promise<Bench> =>
  ((await import(join(folder, `${name}.ts`))) as { bench: Bench }).bench;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { data: { type: 'string' }, out: { type: 'string' }, json: { type: 'boolean', default: false } },
});
const MISSING_DATA = 3;
const [name] = positionals;
process.exitCode = name ? await runOne(name) : await listAll();

async function listAll(): Promise<number> {
  for (const known of names) {
    const { summary, goals } = await load(known);
    console.log(`${known.padEnd(12)} ${summary}`);
    for (const [figure, goal] of Object.entries(goals))
      console.log(`${' '.repeat(13)}${figure} ${goalText(goal)}`);
  }
  console.log('\nnpm run bench -- NAME [--data PATH] [--out FILE] [--json]');
  return 0;
}

async function runOne(asked: string): Promise<number> {
  if (!names.includes(asked)) {
    const meant = nearest(asked, names);
    console.error(`there is no benchmark '${asked}'${meant ? `; did you mean '${meant}'?` : ''}`);
    return 2;
  }
  if (values.data && !existsSync(values.data)) {
    console.error(`${values.data} is not there: give the folder or file with --data`);
    return MISSING_DATA;
  }
  const bench = await load(asked);
  const say = values.json ? () => undefined : (line: string) => console.log(line);
  const figures = await measure(bench, say);
  if (!figures) return MISSING_DATA;
  const rows = Object.entries(figures).map(([figure, value]) => {
    const goal = bench.goals[figure];
    const verdict = goal ? `${goalText(goal)}  ${meets(value, goal) ? 'met' : 'not met'}` : '';
    return `${figure.padEnd(22)} ${String(value).padStart(10)}  ${verdict}`;
  });
  console.log(rows.join('\n'));
  if (values.json) {
    // What the given data cannot tell is not judged: a benchmark may take several kinds.
    const judged = Object.entries(bench.goals).filter(([figure]) => figure in figures);
    const met = judged.every(([figure, goal]) => meets(figures[figure], goal));
    const goals = Object.fromEntries(
      Object.entries(bench.goals).map(([figure, goal]) => [figure, goalText(goal)]),
    );
    console.log(JSON.stringify({ bench: asked, figures, goals, met }));
  }
  return 0;
}

/** Undefined where the data that a benchmark takes by default is not there: it says so with an error of its own. */
async function measure(
  bench: Bench,
  say: (line: string) => void,
): Promise<Readonly<Record<string, number>> | undefined> {
  try {
    return await bench.run({ data: values.data, out: values.out, say });
  } catch (error) {
    if (!(error instanceof MissingData)) throw error;
    console.error(error.message);
    return undefined;
  }
}
