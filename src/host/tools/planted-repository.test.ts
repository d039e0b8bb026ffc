import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { judgeCommand } from '#engines/gate';
import type { ToolResult } from '#spec/ports';
import { findProgram } from '#testkit/sandbox';
import { toolContext } from '#testkit/tool-context';
import { keptLog } from '#testkit/log';
import { loadConfig } from '../config/load-config.ts';
import { localAudience } from '#app/terminal';
import { resolveHome } from '../home.ts';
import { builtInTools } from './built-in-tools.ts';
import type { OpenPlace } from '#app/tools';
import { openPlace } from './open-place.ts';

const absent = ['bwrap', 'git'].find((name) => !findProgram(name));
const textOf = ({ content }: ToolResult) =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('');
const IDENTITY = {
  GIT_AUTHOR_NAME: 'Ops',
  GIT_AUTHOR_EMAIL: 'ops@example.com',
  GIT_COMMITTER_NAME: 'Ops',
  GIT_COMMITTER_EMAIL: 'ops@example.com',
};

describe.skipIf(absent !== undefined)(
  `git in a repository that a command planted (skipped where ${absent ?? 'nothing'} is missing)`,
  () => {
    let base: string;
    let work: string;
    let secret: string;
    let powers: OpenPlace;
    beforeEach(async () => {
      base = await realpath(await mkdtemp(join(tmpdir(), 'hermes-planted-')));
      work = join(base, 'work');
      secret = join(base, '.hermes/config.yaml');
      await mkdir(work);
      await mkdir(join(base, '.hermes'));
      await writeFile(secret, '# s3cr3t\n');
      const env = { ...IDENTITY, HERMES_HOME: join(base, '.hermes'), HOME: base, PATH: '/usr/bin:/bin' };
      const home = resolveHome({ env });
      powers = await openPlace(
        { home, loaded: await loadConfig(home, env), log: keptLog() },
        {
          cwd: work,
          language: 'en',
          audience: localAudience(),
          recall: {} as never,
          askModel: async () => undefined,
          sandboxes: [],
        },
      );
    });
    afterEach(async () => {
      await powers.close();
      await rm(base, { recursive: true, force: true });
    });

    const git = async (...args: string[]): Promise<ToolResult> => {
      const tool = (await builtInTools()).find(({ name }) => name === 'git');
      if (!tool) throw new Error('there is no tool git');
      const { commands, key, program } = powers.powers;
      return tool.run(tool.input.parse({ args }), toolContext({ commands, key, program }));
    };
    const shell = (...args: string[]) =>
      execFileSync('git', args, { cwd: work, env: { PATH: '/usr/bin:/bin', ...IDENTITY }, stdio: 'pipe' })
        .toString()
        .trim();
    async function repository(): Promise<void> {
      shell('init', '-q', '-b', 'main');
      await writeFile(join(work, 'a.txt'), 'one\n');
      shell('add', '.');
      shell('commit', '-qm', 'First');
    }
    /** A program that leaves a mark outside of the workspace and shows the secret inside. */
    async function trap(): Promise<string> {
      const path = join(work, 'trap.sh');
      await writeFile(path, `#!/bin/sh\ntouch ${base}/ran 2>/dev/null\ncat ${secret} > ${work}/stolen\n`);
      await chmod(path, 0o755);
      return path;
    }

    it('looks and commits', async () => {
      await repository();
      await writeFile(join(work, 'a.txt'), 'two\n');
      expect(textOf(await git('diff'))).toContain('+two');
      const done = await git('commit', '-a', '-m', 'Second');
      expect(done.isError, textOf(done)).toBeUndefined();
      expect(shell('log', '--format=%an %s', '-1')).toBe('Ops Second');
    });

    it('runs the programs that a repository names, if any, where they reach nothing', async () => {
      await repository();
      const program = await trap();
      for (const name of ['core.fsmonitor', 'gpg.x509.program', 'filter.trap.clean', 'filter.trap.smudge'])
        shell('config', name, program);
      await writeFile(join(work, '.gitattributes'), '*.txt filter=trap\n');
      await writeFile(join(work, 'a.txt'), 'two\n');
      await git('status');
      await git('log', '--format=%G?');
      await git('add', 'a.txt');
      expect(existsSync(join(work, 'stolen')), 'the filter was to run').toBe(true);
      expect(readFileSync(join(work, 'stolen'), 'utf8')).toBe('');
      expect(existsSync(join(base, 'ran'))).toBe(false);
    });

    it('neither shows nor writes the home that a repository claims for its folder', async () => {
      await repository();
      shell('config', 'core.worktree', join(base, '.hermes'));
      const said = [
        await git('add', '-A'),
        await git('diff', '--cached'),
        await git('diff'),
        await git('switch', 'main'),
      ];
      await git('restore', 'a.txt');
      expect(said.map(textOf).join('\n')).not.toContain('s3cr3t');
      expect(existsSync(join(base, '.hermes/a.txt'))).toBe(false);
    });

    it('says what is wrong with a folder', async () => {
      const none = await git('status');
      expect(none.isError).toBe(true);
      expect(textOf(none)).toContain('not a git repository');
    });
  },
);

describe('git and the judge of commands', () => {
  it.each([
    ['status'],
    ['log', '-5', '--author', "O'Brien", '--', 'a b'],
    ['show', 'HEAD~1:a.txt'],
    ['diff', 'main...topic'],
    ['grep', '-n', '$(touch x)'],
    ['commit', '-m', "One; two\n\nIt's `three`"],
    ['switch', '-c', 'topic'],
    ['stash', 'push', '-m', 'x'],
  ])('go together: git %s', async (...args) => {
    const tool = (await builtInTools()).find(({ name }) => name === 'git');
    const { text } = tool?.deed?.({ args })?.command ?? {};
    const judged = judgeCommand(text ?? '', { cwd: '/w', workspace: '/w' });
    expect(judged).toMatchObject({ verdict: 'allow', level: tool?.effect({ args }) });
    expect(judged.commands).toHaveLength(1);
  });
});
