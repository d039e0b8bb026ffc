import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { nearest } from '#kit/nearest';
import { type Bench, goalText, MissingData, meets, UnknownOption } from './bench.ts';
import { progressBar } from './progress-bar.ts';

const folder = join(import.meta.dirname, 'benches');
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => basename(file, '.ts'));

const load = async (name: string): Promise<Bench> =>
  ((await import(join(folder, `${name}.ts`))) as { bench: Bench }).bench;

const OPTIONS = {
  data: { type: 'string' },
  out: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

const args = process.argv.slice(2);
const MISSING_DATA = 3;
const [name] = args;
process.exitCode = name ? await runOne(name) : await listAll();

async function listAll(): Promise<number> {
  for (const known of names) {
    const { summary, goals, options = {} } = await load(known);
    console.log(`${known.padEnd(12)} ${summary}`);
    for (const [figure, goal] of Object.entries(goals))
      console.log(`${' '.repeat(13)}${figure} ${goalText(goal)}`);
    for (const option of Object.keys(options)) console.log(`${' '.repeat(13)}--${option}`);
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
  const bench = await load(asked);
  const { values, own } = readOptions(bench);
  if (values.data && !existsSync(values.data)) {
    console.error(`${values.data} is not there: give the folder or file with --data`);
    return MISSING_DATA;
  }
  const figures = await measure(bench, { ...values, options: own });
  if (typeof figures === 'number') return figures;
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

/** The options of every benchmark, and those of this one: an own option without a value has the one that it means then. */
function readOptions({ options = {} }: Bench): {
  values: { data?: string; out?: string; json: boolean };
  own: Record<string, string | undefined>;
} {
  const full = args.slice(1).map((arg, index, all) => {
    const meant = arg.startsWith('--') ? options[arg.slice(2)] : undefined;
    const next = all[index + 1];
    return meant !== undefined && (next === undefined || next.startsWith('--')) ? `${arg}=${meant}` : arg;
  });
  const ownNames = Object.keys(options);
  const known = Object.fromEntries(ownNames.map((option) => [option, { type: 'string' as const }]));
  const { values } = parseArgs({ args: full, options: { ...known, ...OPTIONS } });
  const given: Readonly<Record<string, unknown>> = values;
  return {
    values,
    own: Object.fromEntries(
      ownNames.map((option) => {
        const value = given[option];
        return [option, typeof value === 'string' ? value : undefined];
      }),
    ),
  };
}

/** The exit code where it cannot be measured: a benchmark says why with an error of its own. */
async function measure(
  bench: Bench,
  { data, out, json, options }: Readings,
): Promise<Readonly<Record<string, number>> | number> {
  const say = json ? () => undefined : (line: string) => console.log(line);
  try {
    return await bench.run({ data, out, options, say, progress: progressBar(process.stderr) });
  } catch (error) {
    if (!(error instanceof MissingData || error instanceof UnknownOption)) throw error;
    console.error(error.message);
    return error.exitCode;
  }
}

interface Readings {
  readonly data?: string;
  readonly out?: string;
  readonly json: boolean;
  readonly options: Readonly<Record<string, string | undefined>>;
}
