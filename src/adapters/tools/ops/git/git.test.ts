import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CommandRequest, CommandResult, Commands, ToolResult } from '#spec/ports';
import { type TemporaryWorkspace, temporaryWorkspace } from '#testkit/files';
import { toolContext } from '#testkit/tool-context';
import { spawnedCommands } from '#testkit/tool-context';
import { tool } from './git.ts';

const GIT = ['/usr/bin/git', '/usr/local/bin/git'].find((path) => existsSync(path));
const textOf = ({ content }: ToolResult) =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('');
const IDENTITY: Readonly<Record<string, string>> = {
  GIT_AUTHOR_NAME: 'Ops',
  GIT_AUTHOR_EMAIL: 'ops@example.com',
  GIT_COMMITTER_NAME: 'Ops',
  GIT_COMMITTER_EMAIL: 'ops@example.com',
};

describe('git with the real program (needs git)', () => {
  let workspace: TemporaryWorkspace;
  let commands: ReturnType<typeof spawnedCommands>;
  const env = () => ({ PATH: '/usr/bin:/bin', HOME: workspace.root, ...IDENTITY });
  /** As a person at a shell would, with the settings of the repository in force. */
  const shell = (...args: string[]) =>
    execFileSync(GIT ?? 'git', args, { cwd: join(workspace.root, 'repo'), env: env(), stdio: 'pipe' });
  beforeEach(async () => {
    workspace = await temporaryWorkspace();
    await workspace.put('repo/a.txt', 'one\n');
    commands = spawnedCommands(join(workspace.root, 'repo'));
    if (!GIT) return;
    shell('init', '-q', '-b', 'main');
    shell('add', '.');
    shell('commit', '-qm', 'First');
  });
  afterEach(async () => {
    await commands.close();
    await workspace.close();
  });

  const context = (keys = IDENTITY) => toolContext({ commands, key: (name) => keys[name] });
  const git = (...args: string[]) => tool.run(tool.input.parse({ args }), context());

  it.skipIf(!GIT)('looks, adds, commits and goes back', async () => {
    await workspace.put('repo/a.txt', 'one\ntwo\n');
    expect(textOf(await git('status', '-s'))).toBe(' M a.txt');
    expect(textOf(await git('diff', '--', 'a.txt'))).toContain('+two');
    expect(await git('add', '-A')).toMatchObject({ data: { code: 0 } });
    expect(textOf(await git('commit', '-m', "Second; $(touch x)\n\nIt's `touch y`"))).toContain(
      'Second; $(touch x)',
    );
    expect(textOf(await git('log', '--oneline', '-2')).split('\n')).toHaveLength(2);
    expect(textOf(await git('log', '--format=%B', '-1'))).toContain("It's `touch y`");
    expect(textOf(await git('show', 'HEAD~1:a.txt'))).toBe('one');
    expect(textOf(await git('blame', '-L', '2,2', 'a.txt'))).toContain('two');
    expect(textOf(await git('branch', '--show-current'))).toBe('main');
    expect(textOf(await git('grep', '-n', 'two'))).toBe('a.txt:2:two');
    expect(await git('grep', 'nothing')).toMatchObject({ content: [{ text: 'Nothing to show.' }] });
    expect(existsSync(join(workspace.root, 'repo/x'))).toBe(false);
  });

  it.skipIf(!GIT)('goes to the folder that is named', async () => {
    await workspace.put('repo/sub/b.txt', 'b\n');
    const inside = await tool.run({ args: ['ls-files', '-o'], path: 'sub' }, context());
    expect(textOf(inside)).toBe('b.txt');
  });

  it.skipIf(!GIT)('answers with what git says when it fails', async () => {
    expect(textOf(await git('show', 'nowhere'))).toContain('unknown revision');
    expect(await git('show', 'nowhere')).toMatchObject({ isError: true });
    expect(await git('push')).toMatchObject({ isError: true });
  });

  it.skipIf(!GIT)('tells how a commit gets an author where there is none', async () => {
    await commands.run({ command: 'git config user.useConfigOnly true' }, new AbortController().signal);
    await workspace.put('repo/b.txt', 'b\n');
    await git('add', '.');
    const failed = await tool.run({ args: ['commit', '-m', 'x'] }, context({}));
    expect(failed.isError).toBe(true);
    expect(textOf(failed)).toContain('GIT_AUTHOR_NAME');
  });

  it.skipIf(!GIT)('starts no program by looking, whatever the repository says', async () => {
    const mark = join(workspace.root, 'ran');
    const trap = join(workspace.root, 'trap.sh');
    writeFileSync(trap, `#!/bin/sh\necho "$0 $*" >> ${mark}\n`);
    chmodSync(trap, 0o755);
    await workspace.put('repo/.gitattributes', '*.txt diff=trap\n');
    const signed = `tree ${shell('rev-parse', 'HEAD^{tree}').toString().trim()}
author O <o@x> 1 +0000
committer O <o@x> 1 +0000
gpgsig -----BEGIN SIGNED MESSAGE-----
 x
 -----END SIGNED MESSAGE-----

signed
`;
    const commit = execFileSync(GIT ?? '', ['hash-object', '-t', 'commit', '-w', '--stdin'], {
      cwd: join(workspace.root, 'repo'),
      env: env(),
      input: signed,
    });
    for (const name of [
      'core.fsmonitor',
      'core.pager',
      'diff.external',
      'diff.trap.textconv',
      'diff.trap.command',
    ])
      shell('config', name, trap);
    for (const format of ['gpg.program', 'gpg.x509.program', 'gpg.ssh.program'])
      shell('config', format, trap);
    shell('config', 'format.pretty', '%G? %s');
    shell('config', 'log.showSignature', 'true');
    await workspace.put('repo/a.txt', 'one\nthree\n');
    const hash = commit.toString().trim();
    for (const args of [
      ['status'],
      ['diff'],
      ['log', '-p'],
      ['log', '--format=%G?', hash],
      ['show', hash],
      ['grep', 'three'],
      ['branch', '-a'],
    ]) {
      const result = await git(...args);
      expect(result.isError, `${args.join(' ')}: ${textOf(result)}`).toBeUndefined();
    }
    expect(existsSync(mark)).toBe(false);
    // The traps work: without the care that is taken they are sprung at once.
    spawnSync(GIT ?? 'git', ['log', '-1', hash], { cwd: join(workspace.root, 'repo'), env: env() });
    expect(existsSync(mark)).toBe(true);
  });
});

describe('git and the place where it runs', () => {
  const asked: CommandRequest[] = [];
  const ending = (end: Partial<CommandResult>, stderr = '') => {
    const run: Commands['run'] = async (request, _, onOutput) => {
      asked.push(request);
      onOutput?.({ stream: 'stderr', text: stderr });
      return { code: 0, cwd: '/', ms: 1, output: stderr, ...end };
    };
    return toolContext({ commands: { run } as Commands });
  };

  it('runs one command on the default backend, and nothing on this machine', async () => {
    asked.length = 0;
    await tool.run({ args: ['log', '--author', "O'Brien $(id)"], path: 'my repo' }, ending({}));
    expect(asked).toMatchObject([
      {
        command: `git log '--author=O'\\''Brien $(id)' --no-ext-diff --no-textconv --ignore-submodules=all`,
        cwd: 'my repo',
        env: { GIT_PAGER: 'cat' },
      },
    ]);
    expect(asked[0]?.backend).toBeUndefined();
    expect(tool.missing).toBeUndefined();
  });

  it('says that there is no git, and what stopped it', async () => {
    const none = await tool.run({ args: ['log'] }, ending({ code: 127 }, 'bash: git: command not found'));
    expect(none).toMatchObject({ isError: true });
    expect(textOf(none)).toContain('There is no git where commands run');
    const late = await tool.run({ args: ['log'] }, ending({ code: null, stopped: 'time' }));
    expect(textOf(late)).toContain('60 s');
    const lost = await tool.run({ args: ['log'] }, ending({ code: null, stopped: 'lost' }));
    expect(lost.isError).toBe(true);
    const much = await tool.run({ args: ['log'] }, ending({ code: null, stopped: 'output' }));
    expect(textOf(much)).toContain('narrow it');
  });

  it('asks for no more than a command can hold', async () => {
    const args = ['add', ...Array.from({ length: 30 }, () => 'x'.repeat(9_000))];
    expect(tool.deed?.({ args })?.refuse).toContain('too long');
  });
});

describe('git and the gate', () => {
  it('tells levels, refusals and the command itself', () => {
    expect(tool.effect({ args: ['log'] })).toBe(0);
    expect(tool.effect({ args: ['commit', '-m', 'x'] })).toBe(2);
    expect(tool.effect({ args: ['restore', 'a'] })).toBe(3);
    expect(tool.deed?.({ args: ['restore', 'a b'], path: 'sub' })).toEqual({
      command: { text: `git restore --no-recurse-submodules 'a b'`, cwd: 'sub' },
      confirm: {
        en: expect.stringContaining('may lose work') as string,
        zh: expect.stringContaining('可能丢失') as string,
      },
    });
    expect(tool.deed?.({ args: ['status'] })).toEqual({
      command: { text: 'git status --ignore-submodules=all' },
    });
    expect(tool.deed?.({ args: ['-c', 'core.pager=x', 'log'] })?.refuse).toContain('not allowed');
    expect(tool.deed?.({ args: ['diff', '/dev/null', '/root/x'] })?.refuse).toContain('outside');
  });
});
