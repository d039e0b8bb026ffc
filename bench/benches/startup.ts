import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineBench } from '../bench.ts';

const ROUNDS = 25;
const LAUNCHER = join(import.meta.dirname, '..', '..', 'bin', 'hermes');
const PROMPT = '›';

/**
 * How long `hermes --version` and the first usable prompt take through the launcher, against the same Node doing
 * nothing. The three take turns, so that whatever else the machine does meets all of them alike.
 */
export const bench = defineBench({
  summary: 'start-up against a bare node of the same version',
  goals: { version_ratio: { most: 1.6 }, prompt_ratio: { most: 5.5 } },
  run: async ({ say }) => {
    const home = mkdtempSync(join(tmpdir(), 'hermes-bench-'));
    const env = {
      PATH: process.env.PATH,
      HOME: home,
      HERMES_HOME: home,
      LANG: 'C',
      TERM: 'dumb',
      NODE_COMPILE_CACHE: join(home, 'cache'),
    };
    const times: Record<'node' | 'version' | 'prompt', number[]> = { node: [], version: [], prompt: [] };
    const round = async () => ({
      node: await timed(process.execPath, ['-e', '0'], env),
      version: await timed(LAUNCHER, ['--version'], env),
      prompt: await timed('script', ['-qec', `'${LAUNCHER}'`, '/dev/null'], env, PROMPT),
    });
    await round();
    for (let i = 0; i < ROUNDS; i++) {
      for (const [name, ms] of Object.entries(await round())) times[name as keyof typeof times].push(ms);
    }
    rmSync(home, { recursive: true, force: true });
    const node = median(times.node);
    const version = median(times.version);
    const prompt = median(times.prompt);
    say(
      `median of ${ROUNDS}: node -e 0 ${node.toFixed(1)} ms, --version ${version.toFixed(1)} ms, prompt ${prompt.toFixed(1)} ms`,
    );
    return {
      version_ratio: Number((version / node).toFixed(2)),
      prompt_ratio: Number((prompt / node).toFixed(2)),
      node_ms: Math.round(node),
      version_ms: Math.round(version),
      prompt_ms: Math.round(prompt),
    };
  },
});

/** Milliseconds until the command ends, or until it has printed `until` (then it is left as a person leaves it). */
function timed(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  until?: string,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'ignore'] });
    let printed = '';
    let reached: number | undefined;
    child.stdout.on('data', (data) => {
      printed += String(data);
      if (!until || reached !== undefined || !printed.includes(until)) return;
      reached = performance.now() - started;
      child.stdin.end('\u0004');
    });
    child.on('error', reject);
    child.on('close', () => {
      if (until && reached === undefined) reject(new Error(`no prompt appeared:\n${printed}`));
      else resolve(reached ?? performance.now() - started);
    });
  });
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
