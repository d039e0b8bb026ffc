import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, hostname, tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';

/** What a fixture home holds; a later version has to find all of it again. */
export interface Held {
  readonly version: string;
  /** The user of the machine that it was made on: what is kept for a person is kept for that one. */
  readonly user: string;
  readonly sessions: readonly string[];
  readonly memories: readonly string[];
  readonly notes: readonly string[];
  readonly rules: readonly string[];
  readonly incidents: readonly string[];
  readonly skills: readonly string[];
}

const HELD = {
  sessions: ['remember that checkout runs on port 8080', 'never restart payment-db between 09:00 and 18:00'],
  memories: ['payments pages the team on call at night'],
  notes: ['checkout runs on port 8080'],
  rules: ['never restart payment-db between 09:00 and 18:00'],
  incidents: ['checkout is slow'],
  skills: ['drain-node'],
} as const;

const SKILL = `---
name: drain-node
description: Drain a node before it is restarted. Use when a machine has to go down.
---
# Drain a node

1. \`kubectl cordon NODE\`
2. \`kubectl drain NODE --ignore-daemonsets\`
`;

/** The commands, as a person would type them with no model. */
const commands = (skill: string): readonly (readonly string[])[] => [
  ...HELD.sessions.map((said) => ['run', said]),
  ...HELD.memories.map((text) => ['memory', 'add', text]),
  ...HELD.incidents.map((title) => ['incident', 'create', title, '--service', 'checkout']),
  ['skills', 'install', skill, '--yes'],
];

/** Makes a home with the built command, in folders of no machine in particular, and keeps it in `target`. */
export function makeFixtureHome(root: string, version: string, target: string): void {
  const scratch = mkdtempSync(join(tmpdir(), 'hermes-fixture-'));
  try {
    const [home, work] = [join(scratch, 'home'), join(scratch, 'project')];
    const skill = join(work, 'drain-node');
    for (const folder of [home, skill]) mkdirSync(folder, { recursive: true });
    writeFileSync(join(skill, 'SKILL.md'), SKILL);
    for (const args of commands(skill)) run(root, home, work, args);
    forgetScratch(home, scratch);
    refuseTraces(home, root);
    cpSync(home, join(target, 'home'), { recursive: true });
    const held: Held = { version, user: userInfo().username, ...HELD };
    writeFileSync(join(target, 'held.json'), `${JSON.stringify(held, undefined, 2)}\n`);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Nothing of the environment but the path reaches it: no key, no name, no language. */
function run(root: string, home: string, cwd: string, args: readonly string[]): void {
  const env = { PATH: process.env.PATH, HOME: home, HERMES_HOME: home, LANG: 'C', NO_COLOR: '1' };
  const ran = spawnSync(join(root, 'bin', 'hermes'), args, { cwd, env, encoding: 'utf8', timeout: 120_000 });
  if (ran.status !== 0)
    throw new Error(`hermes ${args.join(' ')}: ${ran.stdout}${ran.stderr}${ran.error ?? ''}`);
}

/** Texts name a folder that could be anybody's instead of the one for this run. */
function forgetScratch(home: string, scratch: string): void {
  for (const entry of readdirSync(home, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(?:json|md|ya?ml)$/.test(entry.name)) continue;
    const file = join(entry.parentPath, entry.name);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(scratch, '/srv'));
  }
}

/** A fixture is published: it must not tell whose machine it was made on. */
function refuseTraces(home: string, root: string): void {
  const traces = [`${root}/`, `${dirname(root)}/`, `${homedir()}/`, hostname(), userInfo().username].filter(
    (trace) => trace.length > 3 && !['root', '/root/', '/tmp/', '/home/'].includes(trace),
  );
  for (const entry of readdirSync(home, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const bytes = readFileSync(file);
    const found = traces.find((trace) => bytes.includes(trace));
    if (found)
      throw new Error(`${entry.name} of the fixture home names '${found}': make the release as root`);
  }
}
