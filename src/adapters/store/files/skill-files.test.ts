import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { describeSkillFiles } from '#testkit/skill-files';
import { type SkillFolders, skillFiles } from './skill-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-skills-'));
afterAll(() => rmSync(folder, { recursive: true }));

let made = 0;
function newFolders() {
  const base = join(folder, String(made++));
  const of = (name: string) => join(base, name);
  const plugins = [{ path: of('plugin'), trust: 'trusted' as const }];
  return {
    base,
    builtin: of('builtin'),
    home: of('home'),
    project: of('project'),
    plugins,
  } satisfies SkillFolders & {
    base: string;
  };
}

describeSkillFiles('files', async () => {
  const { base, ...folders } = newFolders();
  const put = async (path: string, text: string) => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  };
  return {
    files: skillFiles(folders),
    put: (root, path, text) => put(join(base, root, path), text),
    remove: (root, path) => rm(join(base, root, path)),
    close: () => rm(base, { recursive: true, force: true }),
  };
});

function filled(files: Readonly<Record<string, string>>) {
  const folders = newFolders();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folders.base, path)), { recursive: true });
    writeFileSync(join(folders.base, path), text);
  }
  return folders;
}

describe('skillFiles', () => {
  it('tells what it left out: too large, too deep, links that lead elsewhere', async () => {
    const folders = filled({
      'home/large/SKILL.md': 'x'.repeat(1_048_577),
      'home/fits/SKILL.md': 'x'.repeat(1_048_576),
      'home/1/2/3/4/5/6/SKILL.md': 'deep enough',
      'home/1/2/3/4/5/6/7/SKILL.md': 'too deep',
      'outside/a/SKILL.md': 'outside',
      'home/inside/SKILL.md': 'inside',
      'home/linked/readme.md': 'x',
    });
    symlinkSync(join(folders.base, 'outside', 'a'), join(folders.home, 'away'));
    symlinkSync(join(folders.base, 'outside', 'a', 'SKILL.md'), join(folders.home, 'linked', 'SKILL.md'));
    symlinkSync(join(folders.home, 'inside'), join(folders.home, 'again'));
    symlinkSync(folders.home, join(folders.home, 'inside', 'round'));
    const files = skillFiles(folders);
    const found = (await files.scan()).map(({ path }) => path);
    expect(found.toSorted()).toEqual(['1/2/3/4/5/6/SKILL.md', 'fits/SKILL.md', 'inside/SKILL.md']);
    expect(
      files
        .leftOut()
        .map(({ path, reason }) => `${path} ${reason}`)
        .toSorted(),
    ).toEqual([
      '1/2/3/4/5/6/7 too_deep',
      'away link_out',
      'inside/round link_out',
      'large/SKILL.md too_large',
      'linked/SKILL.md link_out',
    ]);
    expect(await files.read('home', 'away/SKILL.md')).toBeUndefined();
    expect(await files.read('home', 'linked/SKILL.md')).toBeUndefined();
  });

  it('never writes through a link that leads out of the home', async () => {
    const folders = filled({ 'outside/keep.md': 'keep', 'home/a/SKILL.md': 'a' });
    symlinkSync(join(folders.base, 'outside'), join(folders.home, 'away'));
    const files = skillFiles(folders);
    const written = files.write([{ path: 'away/keep.md', text: 'changed' }]);
    await expect(written).rejects.toMatchObject({ record: { code: 'input.invalid' } });
    expect(readdirSync(join(folders.base, 'outside'))).toEqual(['keep.md']);
  });

  it('leaves nothing behind beside what it wrote, for its owner alone', async () => {
    const folders = newFolders();
    const files = skillFiles(folders);
    await files.write([{ path: 'a/b/SKILL.md', text: 'a' }]);
    expect(readdirSync(folders.home)).toEqual(['a']);
    expect(statSync(join(folders.home, 'a', 'b', 'SKILL.md')).mode & 0o777).toBe(0o600);
    await files.write([{ path: 'a/b/SKILL.md', text: undefined }]);
    expect(readdirSync(folders.home)).toEqual([]);
  });

  it.each([
    { done: 'nothing', moved: [] as readonly string[] },
    { done: 'one file', moved: ['a'] },
    { done: 'all files', moved: ['a', 'b'] },
  ])('puts back what a killed process had begun: $done', async ({ moved }) => {
    const staged = 'home/.staged/0a1b';
    const folders = filled({
      [`${staged}/plan.json`]: JSON.stringify([
        { path: 'a/SKILL.md', had: true },
        { path: 'b/SKILL.md', had: false },
      ]),
      ...(moved.includes('a')
        ? { [`${staged}/old-0`]: 'old a', 'home/a/SKILL.md': 'new a' }
        : { [`${staged}/new-0`]: 'new a', 'home/a/SKILL.md': 'old a' }),
      ...(moved.includes('b') ? { 'home/b/SKILL.md': 'new b' } : { [`${staged}/new-1`]: 'new b' }),
    });
    const found = await skillFiles(folders).scan();
    expect(found.map(({ path, text }) => [path, text])).toEqual([['a/SKILL.md', 'old a']]);
    expect(existsSync(join(folders.home, '.staged'))).toBe(false);
  });

  it('takes the first of two plugins with the same path, and the trust that is told', async () => {
    const folders = filled({ 'one/a/SKILL.md': 'one', 'two/a/SKILL.md': 'two', 'home/x/SKILL.md': 'x' });
    const plugins = ['one', 'two'].map((name) => ({
      path: join(folders.base, name),
      trust: 'community' as const,
    }));
    const files = skillFiles({
      home: folders.home,
      plugins,
      trustOf: (path) => (path === 'x/SKILL.md' ? 'own' : 'user'),
    });
    expect((await files.scan()).map(({ text, trust }) => [text, trust])).toEqual([
      ['x', 'own'],
      ['one', 'community'],
    ]);
    expect(String(await files.read('plugin', 'a/SKILL.md'))).toBe('one');
  });
});
