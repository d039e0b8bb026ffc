import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../config/load-config.ts';
import { resolveHome } from '../home.ts';
import { openWorkspaceCheckpoints } from './workspace-checkpoints.ts';

const GIT = '/usr/bin/git';
let base: string;
beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'hermes-workspace-')));
  await mkdir(join(base, 'user/project'), { recursive: true });
  await mkdir(join(base, 'user/.hermes/inside'), { recursive: true });
  await writeFile(join(base, 'user/.hermes/config.yaml'), '{}\n');
  await symlink(join(base, 'user'), join(base, 'link'));
});
afterEach(() => rm(base, { recursive: true, force: true }));

/** Paths below the temporary folder. */
async function open(places: { home: string; user: string; workspace: string }, git = GIT) {
  const env = { HERMES_HOME: join(base, places.home), HOME: join(base, places.user) };
  const home = resolveHome({ env });
  return openWorkspaceCheckpoints(home, await loadConfig(home, env), join(base, places.workspace), git, 'en');
}

describe('openWorkspaceCheckpoints', () => {
  it('serves a project', async () => {
    expect(await open({ home: 'user/.hermes', user: 'user', workspace: 'user/project' })).toHaveProperty(
      'checkpoints',
    );
    expect(await open({ home: 'user/.hermes', user: 'user', workspace: 'link/project' })).toHaveProperty(
      'checkpoints',
    );
  });

  it.each([
    { home: 'user/.hermes', user: 'user', workspace: 'user' },
    { home: 'user/.hermes', user: 'user', workspace: 'link' },
    { home: 'user/.hermes', user: 'link', workspace: 'user' },
    { home: 'user/.hermes', user: 'user', workspace: 'user/.hermes' },
    { home: 'link/.hermes', user: 'user', workspace: 'user/.hermes' },
    { home: 'user/.hermes', user: 'user', workspace: 'link/.hermes/inside' },
  ])('serves no home, by whichever way it is named: %o', async (places) => {
    const opened = await open(places);
    expect(opened.checkpoints).toBeUndefined();
    expect(opened.absent).toMatch(/home/);
  });

  it('keeps the home of Hermes out of a workspace around it', async () => {
    const places = { home: 'link/.hermes', user: 'nobody', workspace: 'user' };
    const opened = await open(places);
    await writeFile(join(base, 'user/project/a.txt'), 'one\n');
    expect(await opened.beforeChange({ run: 'r1', session: 'ses_a', turn: 1 })).toBeUndefined();
    await writeFile(join(base, 'user/.hermes/config.yaml'), '{ }\n');
    await writeFile(join(base, 'user/project/a.txt'), 'two\n');
    const [newest] = (await opened.checkpoints?.list()) ?? [];
    const diff = await opened.checkpoints?.diff(newest?.id ?? '');
    expect(diff?.changes).toEqual([{ path: 'project/a.txt', kind: 'changed' }]);
  });

  it('says why a change cannot be taken back: to the change in each turn, to the person once', async () => {
    const opened = await open({ home: 'user/.hermes', user: 'user', workspace: 'user/project' }, '');
    const change = (run: string) => opened.beforeChange({ run, session: 'ses_a', turn: 1 });
    expect(await change('r1')).toEqual({
      text: expect.stringContaining('git is not installed'),
      isNews: true,
    });
    expect(await change('r1')).toBeUndefined();
    expect(await change('r2')).toMatchObject({ isNews: false });
  });
});
