import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { SandboxPlace } from '#spec/ports';
import { keptLog } from '#testkit/log';
import { run } from '#testkit/sandbox';
import { sandbox as apptainer } from './apptainer.ts';
import { sandbox as singularity } from './singularity.ts';

/**
 * Neither program can be installed here. This stand-in writes down what it was called with and runs the shell at the
 * end of it on this machine, in the bound folder: it shows the arguments and the handling, not that the real programs
 * isolate anything.
 */
const STAND_IN = `#!${process.execPath}
const { spawnSync } = require('node:child_process');
const { appendFileSync } = require('node:fs');
const args = process.argv.slice(2);
appendFileSync(process.argv[1] + '.calls', JSON.stringify({ args, names: Object.keys(process.env) }) + '\\n');
if (args[0] === '--version') process.exit(0);
const at = args.indexOf('sh');
const source = args[args.indexOf('--bind') + 1].split(':')[0];
const env = { PATH: process.env.PATH };
for (const [name, value] of Object.entries(process.env)) {
  const [, inner] = /^(?:SINGULARITY|APPTAINER)ENV_(.*)$/.exec(name) ?? [];
  if (inner) env[inner] = inner === 'HERMES_TEXT' ? value : value.replaceAll('/workspace', source);
}
const rest = args.slice(at + 1).map((arg) => arg.startsWith('/workspace') ? arg.replace('/workspace', source) : arg);
const { status, signal } = spawnSync('sh', rest, { env, cwd: source, stdio: 'inherit' });
process.exit(status ?? (signal === 'SIGKILL' ? 137 : 1));
`;

const folder = mkdtempSync(join(tmpdir(), 'hermes-image-'));
const program = join(folder, 'singularity');
writeFileSync(program, STAND_IN, { mode: 0o755 });
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const place = (workspace: string, more: Partial<SandboxPlace> = {}): SandboxPlace => ({
  name: 'image-test',
  workspace,
  hidden: [],
  limits: { memoryMb: 2_048, processes: 48, cpuSeconds: 2 },
  program: () => program,
  key: () => undefined,
  log: keptLog(),
  ...more,
});

const calls = (): { args: string[]; names: string[] }[] =>
  readFileSync(`${program}.calls`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('singularity and apptainer, with a stand-in for the program', () => {
  it('leaves out everything of this machine but what is bound', async () => {
    const options = singularity.options.parse({
      image: '/images/tools.sif',
      pids: 64,
      mounts: [{ source: '/srv/data', target: '/data' }],
    });
    const sandbox = await singularity.open(options, place(folder));
    const end = await run(sandbox, 'echo "$GREETING"', { env: { GREETING: 'hello' } });
    expect(end).toMatchObject({ stdout: 'hello\n', code: 0 });
    const { args, names } = calls().at(-1) ?? { args: [], names: [] };
    const until = args.indexOf('sh');
    expect(args.slice(0, until)).toEqual([
      ...['exec', '--containall', '--cleanenv', '--no-home', '--no-privs', '--net', '--network', 'none'],
      ...['--pids-limit', '64', '--bind', `${folder}:/workspace`, '--bind', '/srv/data:/data:ro'],
      ...['--pwd', '/workspace', '/images/tools.sif'],
    ]);
    expect(args.join(' ')).not.toContain('hello');
    expect(names.filter((name) => name.startsWith('HERMES_'))).toEqual([]);
    await sandbox.close();
  });

  it('shows nothing that is hidden', async () => {
    const options = apptainer.options.parse({
      image: 'x.sif',
      mounts: [{ source: '/home', target: '/home' }],
    });
    await expect(
      apptainer.open(options, place(folder, { hidden: ['/home/me/.hermes'] })),
    ).rejects.toMatchObject({
      record: { code: 'config.invalid' },
    });
    const plain = apptainer.options.parse({ image: 'x.sif' });
    await expect(apptainer.open(plain, place(folder, { hidden: [join(folder, '.hermes')] }))).rejects.toThrow(
      '.hermes',
    );
  });

  it('says what is missing', async () => {
    const options = apptainer.options.parse({ image: '/nowhere/x.sif' });
    expect(await apptainer.available(options, place(folder, { program: () => undefined }))).toMatchObject({
      fix: { en: expect.stringContaining('Install') },
    });
    expect(await apptainer.available(options, place(folder))).toMatchObject({
      what: { en: expect.stringContaining('/nowhere/x.sif') },
    });
    expect(
      await apptainer.available(apptainer.options.parse({ image: 'docker://debian' }), place(folder)),
    ).toBeUndefined();
  });
});
