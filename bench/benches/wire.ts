import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rolldown } from 'rolldown';
import { defineBench } from '../bench.ts';

const ROOT = join(import.meta.dirname, '..', '..');
/** The official clients are there to be compared with, not to be used: they have a package of their own. */
const INTEROP = join(ROOT, 'interop');
const ROUNDS = 15;

/** What each client has to load before it can send its first request and read the answer. */
const CLIENTS = {
  openai: "export * from 'openai';",
  anthropic: "export * from '@anthropic-ai/sdk';",
  bedrock: "export * from '@aws-sdk/client-bedrock-runtime';",
  ours_chat: ours('chat-completions'),
  ours_responses: ours('codex-responses'),
  ours_anthropic: ours('anthropic-messages'),
  ours_bedrock: `${ours('bedrock-converse')} export * from './src/adapters/models/wire/aws-frames.ts'; export * from 'aws4fetch';`,
};

function ours(protocol: string): string {
  return `export * from './src/adapters/models/wire/wire-model.ts'; export * from './src/adapters/models/protocols/${protocol}.ts';`;
}

type Client = keyof typeof CLIENTS;

/** Load time, memory and size of the official SDKs against our own protocol layer, each bundled alike. */
export const bench = defineBench({
  summary: 'our wire layer against the official SDKs: load time, memory, size',
  goals: { ours_over_sdks: { most: 0.5 } },
  run: async ({ say }) => {
    if (!existsSync(join(INTEROP, 'node_modules', 'openai')))
      throw new Error('the official clients are not installed: npm ci --prefix interop');
    const names = Object.keys(CLIENTS) as Client[];
    const folder = mkdtempSync(join(ROOT, 'node_modules', '.wire-bench-'));
    try {
      for (const name of names) await bundle(name, folder);
      const samples = new Map(names.map((name) => [name, [] as Sample[]]));
      for (let round = 0; round <= ROUNDS; round++) {
        for (const name of names) samples.get(name)?.push(sample(join(folder, name, 'entry.js')));
      }
      const middle = (name: Client, figure: keyof Sample): number =>
        (samples.get(name) ?? [])
          .slice(1)
          .map((found) => found[figure])
          .toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN;
      const kb = (name: Client) => Math.round(sizeOf(join(folder, name)) / 1_000);
      for (const name of names) {
        say(
          `${name.padEnd(15)} ${middle(name, 'ms').toFixed(1).padStart(6)} ms  ${middle(name, 'mb').toFixed(0).padStart(3)} MB resident  ${kb(name)} kB`,
        );
      }
      const sum = (...clients: Client[]) => clients.reduce((total, name) => total + middle(name, 'ms'), 0);
      const sdks = sum('openai', 'anthropic', 'bedrock');
      const own = sum('ours_responses', 'ours_anthropic', 'ours_bedrock');
      return {
        ...Object.fromEntries(names.map((name) => [`${name}_ms`, Number(middle(name, 'ms').toFixed(1))])),
        ...Object.fromEntries(names.map((name) => [`${name}_kb`, kb(name)])),
        ours_over_sdks: Number((own / sdks).toFixed(2)),
      };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
});

async function bundle(name: Client, folder: string): Promise<void> {
  const entry = join(name.startsWith('ours') ? ROOT : INTEROP, `.wire-bench-${name}.ts`);
  writeFileSync(entry, CLIENTS[name]);
  try {
    const built = await rolldown({
      cwd: dirname(entry),
      input: { entry },
      platform: 'node',
      treeshake: false,
      onwarn: () => undefined,
    });
    await built.write({ dir: join(folder, name), format: 'esm', minify: true, entryFileNames: '[name].js' });
    await built.close();
  } finally {
    rmSync(entry);
  }
}

interface Sample {
  readonly ms: number;
  readonly mb: number;
}

function sample(path: string): Sample {
  const program = `const t = performance.now(); await import(${JSON.stringify(path)}); console.log(JSON.stringify({ ms: performance.now() - t, mb: process.memoryUsage().rss / 1e6 }))`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
  });
  if (!stdout) throw new Error(stderr);
  return JSON.parse(stdout) as Sample;
}

function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  return files.reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0);
}
