import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { languageOf } from '#kit/language';
import { defineBench, MissingData } from '../bench.ts';

const Requests = z.array(z.object({ id: z.string(), request: z.string(), useful: z.string() }));
const PATIENCE_MS = 120_000;
const LAUNCHER = join(import.meta.dirname, '..', '..', 'bin', 'hermes');
const NEEDS_MODEL = /That needs a model|回答这个问题需要模型/;
const run = promisify(execFile);

/**
 * Runs requests through `hermes run`, each in an empty home and with no model, and writes what came back beside what a
 * useful answer holds. Whether it is useful is for a reader to judge; what is counted here is only what needs none.
 */
export const bench = defineBench({
  summary: 'requests through `hermes run` with no model, each in an empty home, for a reader to judge',
  goals: { needs_a_model: { most: 2 }, failed: { exactly: 0 }, wrong_language: { exactly: 0 } },
  run: async ({ data, out, say }) => {
    if (data === undefined) throw new MissingData('name a JSON list of {id, request, useful}: --data FILE');
    const requests = Requests.parse(JSON.parse(await readFile(data, 'utf8')));
    const answers: Answer[] = [];
    for (const { id, request, useful } of requests) {
      const answer = await ask(request);
      answers.push({ id, request, useful, ...answer });
      say(`\n=== ${id}  ${request}\n--- useful: ${useful}\n${answer.text.trim()}`);
    }
    if (out !== undefined) await writeFile(out, `${JSON.stringify(answers, undefined, 2)}\n`);
    return {
      requests: answers.length,
      needs_a_model: answers.filter(({ text }) => NEEDS_MODEL.test(text)).length,
      failed: answers.filter(({ exit }) => exit !== 0).length,
      wrong_language: answers.filter(
        ({ request, text }) => languageOf(request) === 'zh' && languageOf(text) !== 'zh',
      ).length,
      slowest_ms: Math.max(...answers.map(({ ms }) => ms)),
    };
  },
});

interface Answer {
  readonly id: string;
  readonly request: string;
  readonly useful: string;
  readonly text: string;
  readonly exit: number;
  readonly ms: number;
}

/** In an empty home and an empty folder: nothing of this machine but its programs helps. */
async function ask(request: string): Promise<Pick<Answer, 'text' | 'exit' | 'ms'>> {
  const home = await mkdtemp(join(tmpdir(), 'hermes-operator-'));
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    HERMES_HOME: join(home, '.hermes'),
    LANG: 'C.UTF-8',
    NO_COLOR: '1',
  };
  const began = performance.now();
  const took = () => Math.round(performance.now() - began);
  try {
    const { stdout } = await run(LAUNCHER, ['run', request], { cwd: home, env, timeout: PATIENCE_MS });
    return { text: stdout, exit: 0, ms: took() };
  } catch (thrown) {
    const { stdout = '', stderr = '', code } = thrown as { stdout?: string; stderr?: string; code?: number };
    return { text: `${stdout}\n${stderr}`, exit: typeof code === 'number' ? code : 1, ms: took() };
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
