import { execFile, spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Language } from '#kit/language';
import { type Host, openHost } from '#host';
import { runSkill } from '#app/skills';

const run = promisify(execFile);

/** Many commands run one after the other, on a machine that may be busy. */
export const UNHURRIED = { timeout: 60_000 };

/** Whether a program that a skill needs is on this machine. */
export const has = (name: string): boolean => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;

interface SkillRun {
  readonly state: string;
  /** What a person sees at its end. */
  readonly text: string;
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly warnings: readonly string[];
  /** Each step with how it ended. */
  readonly steps: Readonly<Record<string, string>>;
  readonly levels: readonly number[];
  /** What was asked on the way. */
  readonly asked: readonly string[];
}

export interface SkillPlace {
  readonly host: Host;
  readonly cwd: string;
  put(path: string, text: string): Promise<void>;
  /** A stand-in for a program that is not on this machine: a script of `sh`. */
  program(name: string, script: string): Promise<void>;
  shell(command: string): Promise<string>;
  read(path: string): Promise<string>;
  /** Runs a built-in skill as `hermes skill run` does; whoever is asked says yes, or no. */
  run(name: string, args?: Readonly<Record<string, unknown>>, options?: RunOptions): Promise<SkillRun>;
  close(): Promise<void>;
}

interface RunOptions {
  /** Absent: there is nobody to ask. */
  readonly says?: 'yes' | 'no';
  readonly dryRun?: boolean;
  readonly language?: Language;
  /** Where commands run, as a person chose it with `-b`. */
  readonly backend?: string;
}

/** A home and a folder to work in, with the real library, gate, tools and flows. */
export async function openSkillPlace(
  options: {
    /** Hosts with a port that may be reached although they are private. */
    readonly reach?: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
    /** `machine`: commands run outside of any sandbox. */
    readonly commands?: 'sandbox' | 'machine';
    /** More of `config.yaml`. */
    readonly config?: string;
  } = {},
): Promise<SkillPlace> {
  const root = await mkdtemp(join(tmpdir(), 'hermes-skills-'));
  const [home, cwd, programs] = [join(root, 'home'), join(root, 'project'), join(root, 'bin')];
  await Promise.all([home, cwd, programs].map((folder) => mkdir(folder)));
  const reach = JSON.stringify(options.reach ?? []);
  await writeFile(join(home, 'config.yaml'), `web:\n  allow_private: ${reach}\n${options.config ?? ''}`);
  if (options.commands === 'machine') await writeFile(join(home, 'backends.yaml'), 'default: local\n');
  const path = [programs, process.env.PATH].join(delimiter);
  const env = { HERMES_HOME: home, HOME: root, PATH: path, ...options.env };
  // Nobody sits at a terminal here: whoever answers for the person is taken for one.
  const host = await openHost({ env, version: 'test', proof: () => undefined });
  const put = async (name: string, text: string) => {
    await mkdir(dirname(join(cwd, name)), { recursive: true });
    await writeFile(join(cwd, name), text);
  };
  return {
    host,
    cwd,
    put,
    program: async (name, script) => {
      await writeFile(join(programs, name), `#!/bin/sh\n${script}\n`);
      await chmod(join(programs, name), 0o755);
    },
    shell: async (command) => (await run('bash', ['-c', command], { cwd, env, encoding: 'utf8' })).stdout,
    read: (name) => readFile(join(cwd, name), 'utf8'),
    run: (name, args = {}, more = {}) => runIn(host, cwd, name, args, more),
    close: async () => {
      await host.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

async function runIn(
  host: Host,
  cwd: string,
  name: string,
  args: Readonly<Record<string, unknown>>,
  { says, dryRun = false, backend, language = 'en' }: RunOptions,
): Promise<SkillRun> {
  const asked: string[] = [];
  const ask = async (question: string, choices: readonly string[]) => {
    asked.push(question);
    const yes = /^(?:yes|once|allow)/i;
    return choices.find((choice) => yes.test(choice) === (says === 'yes'));
  };
  const reply = await runSkill(host, name, {
    args,
    dryRun,
    fresh: true,
    cwd,
    backend,
    language,
    ask: says === undefined ? undefined : ask,
    report: () => undefined,
    signal: AbortSignal.timeout(60_000),
  });
  const result = reply?.run.result;
  if (!reply || !result) throw new Error(`${name} did not end`);
  return {
    state: reply.run.state,
    text: result.text,
    outputs: result.outputs,
    warnings: result.warnings,
    steps: Object.fromEntries(reply.run.steps.map((step) => [step.name, step.state])),
    levels: reply.run.steps.flatMap(({ level }) => level ?? []),
    asked,
  };
}
