import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Files, ToolResult } from '#spec/ports';
import { type TemporaryWorkspace, temporaryWorkspace } from '#testkit/files';
import { toolContext } from '#testkit/tool-context';
import { localFiles } from '../local-files.ts';
import { tool } from './git.ts';

const GIT = ['/usr/bin/git', '/usr/local/bin/git'].find((path) => existsSync(path));
const textOf = ({ content }: ToolResult) =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('');

describe('git with the real program (needs git)', () => {
  let workspace: TemporaryWorkspace;
  let files: Files;
  const keys = (): Record<string, string> => ({ PATH: '/usr/bin:/bin', HOME: join(workspace.root, 'home') });
  /** As a person at a shell would, with the settings of the repository in force. */
  const shell = (...args: string[]) =>
    execFileSync(GIT ?? 'git', args, { cwd: join(workspace.root, 'repo'), env: keys(), stdio: 'pipe' });
  beforeEach(async () => {
    workspace = await temporaryWorkspace();
    await workspace.put(
      'home/.gitconfig',
      '[user]\n\tname = Ops\n\temail = ops@example.com\n[init]\n\tdefaultBranch = main\n',
    );
    await workspace.put('repo/a.txt', 'one\n');
    files = localFiles({ root: join(workspace.root, 'repo'), protectedPaths: [] });
    if (!GIT) return;
    shell('init', '-q');
    shell('add', '.');
    shell('commit', '-qm', 'First');
  });
  afterEach(() => workspace.close());

  const git = (...args: string[]) =>
    tool.run(
      tool.input.parse({ args }),
      toolContext({
        files,
        key: (name) => keys()[name],
        program: (name) => (name === 'git' ? GIT : undefined),
      }),
    );

  it.skipIf(!GIT)('looks, adds, commits and goes back', async () => {
    await workspace.put('repo/a.txt', 'one\ntwo\n');
    expect(textOf(await git('status', '-s'))).toBe(' M a.txt');
    expect(textOf(await git('diff', '--', 'a.txt'))).toContain('+two');
    expect(await git('add', '-A')).toMatchObject({ data: { code: 0 } });
    expect(textOf(await git('commit', '-m', 'Second; $(touch x)'))).toContain('Second; $(touch x)');
    expect(textOf(await git('log', '--oneline', '-2')).split('\n')).toHaveLength(2);
    expect(textOf(await git('show', 'HEAD~1:a.txt'))).toBe('one');
    expect(textOf(await git('blame', '-L', '2,2', 'a.txt'))).toContain('two');
    expect(textOf(await git('branch', '--show-current'))).toBe('main');
    expect(textOf(await git('grep', '-n', 'two'))).toBe('a.txt:2:two');
    expect(await git('grep', 'nothing')).toMatchObject({ content: [{ text: 'Nothing to show.' }] });
    expect(existsSync(join(workspace.root, 'repo/x'))).toBe(false);
  });

  it.skipIf(!GIT)('answers with what git says when it fails', async () => {
    expect(textOf(await git('show', 'nowhere'))).toContain('unknown revision');
    expect(await git('show', 'nowhere')).toMatchObject({ isError: true });
    expect(await git('push')).toMatchObject({ isError: true });
  });

  it.skipIf(!GIT)('runs nothing that the repository wants to have run', async () => {
    const mark = join(workspace.root, 'ran');
    const trap = join(workspace.root, 'trap.sh');
    writeFileSync(trap, `#!/bin/sh\necho "$0 $*" >> ${mark}\ncat "$1" 2>/dev/null || true\n`);
    chmodSync(trap, 0o755);
    await workspace.put('repo/.gitattributes', '*.txt filter=trap diff=trap merge=trap\n');
    await workspace.put('repo/.git/hooks/pre-commit', `#!/bin/sh\n${trap}\n`);
    await workspace.put('repo/.git/hooks/post-checkout', `#!/bin/sh\n${trap}\n`);
    for (const hook of ['pre-commit', 'post-checkout'])
      chmodSync(join(workspace.root, 'repo/.git/hooks', hook), 0o755);
    const settings = [
      'core.fsmonitor',
      'core.pager',
      'core.editor',
      'core.sshCommand',
      'diff.external',
      'gpg.program',
      'filter.trap.clean',
      'filter.trap.smudge',
      'filter.trap.process',
      'diff.trap.textconv',
      'diff.trap.command',
      'merge.trap.driver',
      'alias.st',
      'credential.helper',
    ];
    for (const name of settings) shell('config', name, name.startsWith('alias') ? `!${trap}` : trap);
    shell('config', 'commit.gpgSign', 'true');
    shell('config', 'filter.trap.required', 'true');
    await workspace.put('repo/a.txt', 'one\nthree\n');
    for (const args of [
      ['status'],
      ['diff'],
      ['add', 'a.txt'],
      ['commit', '-m', 'Third'],
      ['log', '-p'],
      ['show'],
      ['blame', 'a.txt'],
      ['grep', 'three'],
      ['switch', '-c', 'other'],
      ['restore', '--source=HEAD~1', 'a.txt'],
      ['stash', 'push'],
      ['stash', 'pop'],
      ['restore', 'a.txt'],
      ['branch', '-a'],
    ]) {
      const result = await git(...args);
      expect(result.isError, `${args.join(' ')}: ${textOf(result)}`).toBeUndefined();
    }
    expect(existsSync(mark)).toBe(false);
    // The trap works: without the care that is taken it is sprung at once.
    spawnSync(GIT ?? 'git', ['status'], { cwd: join(workspace.root, 'repo'), env: keys() });
    expect(existsSync(mark)).toBe(true);
  });

  it.skipIf(!GIT)('stays where the files may be reached', async () => {
    const context = toolContext({ files, key: (name) => keys()[name], program: () => GIT });
    expect(await tool.run({ args: ['status'], path: 'none' }, context)).toMatchObject({ isError: true });
  });
});

describe('git and the gate', () => {
  it('tells levels and refusals', () => {
    expect(tool.effect({ args: ['log'] })).toBe(0);
    expect(tool.effect({ args: ['commit', '-m', 'x'] })).toBe(2);
    expect(tool.effect({ args: ['restore', 'a'] })).toBe(3);
    expect(tool.deed?.({ args: ['restore', 'a'] })).toMatchObject({
      writes: ['.'],
      confirm: expect.any(String) as string,
    });
    expect(tool.deed?.({ args: ['-c', 'core.pager=x', 'log'] })?.refuse).toContain('not allowed');
  });
});
