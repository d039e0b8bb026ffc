import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openHost } from '#host';
import { conversationSkills } from './conversation-skills.ts';
import { localView } from '../terminal/find-session.ts';
import { surroundingsOf } from './surroundings.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'hermes-around-'));
});
afterEach(() => rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));

const put = async (path: string) => {
  await mkdir(join(root, path, '..'), { recursive: true });
  await writeFile(join(root, path), 'x');
};

it('tells the files of the folder and of the folders in it, without what others wrote', async () => {
  for (const path of ['Dockerfile', 'src/a.py', 'node_modules/b/c.js', 'node_modules/d.js', '.git/HEAD'])
    await put(path);
  const { files, signals } = await surroundingsOf(root, 'PR #12 fails with exit code 1');
  expect(files).toEqual(['Dockerfile', 'src/a.py']);
  expect(signals).toEqual(['git_repository', 'git_diff_available', 'pr_opened', 'error_in_message']);
  expect(await surroundingsOf(join(root, 'absent'), 'hello')).toEqual({ files: [], signals: [] });
});

it('is bounded', async () => {
  for (let i = 0; i < 40; i++) await put(`folder${i}/file.txt`);
  for (let i = 0; i < 60; i++) await put(`many/file${i}.txt`);
  expect((await surroundingsOf(root, '')).files.length).toBeLessThanOrEqual(20 * 20);
});

it('lets a skill be offered in a folder that has its files, and not elsewhere', async () => {
  const home = join(root, 'home');
  await mkdir(join(home, 'skills'), { recursive: true });
  await writeFile(
    join(home, 'skills', 'wombat_build.yaml'),
    [
      'skill:',
      '  name: wombat_build',
      '  version: "1.0"',
      '  description: Packs the wombat artefact of a project',
      '  trigger:',
      '    keywords: []',
      '    file_patterns: ["Wombatfile", "*.wom", "wombat.lock", "*.wombat"]',
      '    context_signals: ["git_diff_available", "项目目录存在 Wombatfile", "wombatfile_present"]',
      '  execution:',
      '    steps:',
      '      - name: look',
      '        action: shell',
      '        args: { command: "ls" }',
      '',
    ].join('\n'),
  );
  const place = join(root, 'project');
  await mkdir(place);
  const host = await openHost({
    env: { HERMES_HOME: home, HOME: root, PATH: process.env.PATH },
    version: 'test',
  });
  const skills = await conversationSkills(host, {
    cwd: place,
    view: localView(),
    language: 'en',
    ask: () => undefined,
  });
  const offered = async () => (await skills.remind('please make the artefact of this thing ready')) ?? '';
  expect(await offered()).not.toContain('wombat_build');
  for (const name of ['Wombatfile', 'src/a.wom', 'wombat.lock', 'x.wombat', '.git/HEAD']) {
    await mkdir(join(place, name, '..'), { recursive: true });
    await writeFile(join(place, name), 'x');
  }
  expect(await offered()).toContain('wombat_build');
  await host.close();
});
