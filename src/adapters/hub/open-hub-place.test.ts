import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HubFile, HubMove, HubPlace } from '#spec/ports';
import { openHubPlace } from './open-hub-place.ts';

let skills: string;
let place: HubPlace;
const write = async (path: string, text: string | Uint8Array) => {
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, text);
};
const open = (more: { write?: typeof write } = {}) =>
  openHubPlace({ skills, lock: (_, work) => work(), write, ...more });
beforeEach(async () => {
  skills = await mkdtemp(join(tmpdir(), 'hermes-place-'));
  place = open();
});
afterEach(() => rm(skills, { recursive: true, force: true }));

const file = (path: string, text: string): HubFile => ({ path, bytes: new TextEncoder().encode(text) });
const ONE = [file('SKILL.md', '# one'), file('scripts/run.sh', 'ls')];
const TWO = [file('SKILL.md', '# two')];
const move = (id: string, files: readonly HubFile[], more: Partial<HubMove> = {}): HubMove => ({
  id,
  path: 'ops/a',
  replace: false,
  files: files.map(({ path, bytes }) => ({
    path,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    bytes: bytes.length,
  })),
  lock: `lock of ${id}`,
  ...more,
});
const put = async (id: string, files: readonly HubFile[], more?: Partial<HubMove>) => {
  await place.quarantine(id, files);
  await place.place(move(id, files, more));
};
const textOf = (path: string) => readFile(join(skills, path), 'utf8');
const left = async (): Promise<string[]> => {
  const names: string[] = await readdir(join(skills, '.quarantine')).catch(() => []);
  return names.toSorted();
};

describe('openHubPlace', () => {
  it('moves what was judged in, private and without the right to run', async () => {
    await put('one', ONE);
    expect(await textOf('ops/a/scripts/run.sh')).toBe('ls');
    expect((await stat(join(skills, 'ops/a/scripts/run.sh'))).mode & 0o777).toBe(0o600);
    expect(await textOf('hub.lock.json')).toBe('lock of one');
    expect(await place.readLock()).toBe('lock of one');
    expect(await left()).toEqual([]);
  });

  it('does not take a place that is taken, unless it may', async () => {
    await put('one', ONE);
    await place.quarantine('two', TWO);
    await expect(place.place(move('two', TWO))).rejects.toMatchObject({ record: { code: 'input.invalid' } });
    expect(await textOf('ops/a/SKILL.md')).toBe('# one');
    await place.discard('two');
    await put('three', TWO, { replace: true });
    expect(await readdir(join(skills, 'ops/a'))).toEqual(['SKILL.md']);
    expect(await textOf('hub.lock.json')).toBe('lock of three');
  });

  it.each(['../x', '/etc/x', 'a/../../x', 'a//b', 'a\\b', 'a\nb', './a', 'C:x', ''])(
    'writes no file %j',
    async (path) => {
      await expect(place.quarantine('bad', [file(path, 'x')])).rejects.toMatchObject({
        record: { code: 'tool.refused' },
      });
      await expect(place.read(path)).rejects.toMatchObject({ record: { code: 'tool.refused' } });
    },
  );

  it.each(['changed', 'added', 'removed', 'link'])('refuses what was %s after it was judged', async (how) => {
    await put('one', ONE);
    await place.quarantine('two', TWO);
    const tree = join(skills, '.quarantine/two/tree');
    if (how === 'changed') await writeFile(join(tree, 'SKILL.md'), '# evil');
    if (how === 'added') await writeFile(join(tree, 'evil.md'), 'x');
    if (how === 'removed') await rm(join(tree, 'SKILL.md'));
    if (how === 'link') await symlink('/etc', join(tree, 'etc'));
    await expect(place.place(move('two', TWO, { replace: true }))).rejects.toMatchObject({
      record: { code: 'tool.refused' },
    });
    expect(await textOf('ops/a/SKILL.md')).toBe('# one');
    expect(await textOf('hub.lock.json')).toBe('lock of one');
  });

  it('reads back from quarantine everything that lies there', async () => {
    const files = [file('SKILL.md', 'x'), file('node_modules/a.js', 'y'), file('__pycache__/b.md', 'z')];
    expect((await place.quarantine('q', files)).map(({ path }) => path).toSorted()).toEqual(
      files.map(({ path }) => path).toSorted(),
    );
  });

  it('does not go through a category that is a link', async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), 'hermes-elsewhere-'));
    try {
      await symlink(elsewhere, join(skills, 'ops'));
      await expect(put('one', ONE)).rejects.toMatchObject({ record: { code: 'tool.refused' } });
      expect(await readdir(elsewhere)).toEqual([]);
    } finally {
      await rm(elsewhere, { recursive: true });
    }
  });

  it('removes a folder and the category that it leaves empty', async () => {
    await put('one', ONE);
    await place.remove('ops/a', 'lock without');
    expect(await readdir(skills)).not.toContain('ops');
    expect(await textOf('hub.lock.json')).toBe('lock without');
    expect(await left()).toEqual([]);
  });

  it('names links of an installed skill and leaves out what programs leave behind', async () => {
    await put('one', ONE);
    await symlink('/etc/passwd', join(skills, 'ops/a/l'));
    await mkdir(join(skills, 'ops/a/__pycache__'));
    await writeFile(join(skills, 'ops/a/__pycache__/x.pyc'), 'x');
    const found = await place.read('ops/a');
    expect(found?.links).toEqual(['l']);
    expect(found?.files.map(({ path }) => path)).toEqual(['SKILL.md', 'scripts/run.sh']);
    expect(await place.read('ops/none')).toBeUndefined();
  });
});

describe('after a crash', () => {
  const recover = () => open().exclusively(async () => undefined);
  const crashAt = (name: string, nth = 1) => {
    let count = 0;
    return open({
      write: async (path, text) => {
        if (path.endsWith(name) && ++count === nth) throw new Error('crash');
        await write(path, text);
      },
    });
  };

  it('forgets what was only fetched, of processes that are gone', async () => {
    await place.quarantine('mine', ONE);
    await place.quarantine('theirs', ONE);
    await writeFile(join(skills, '.quarantine/theirs/owner'), '999999999');
    await recover();
    expect(await left()).toEqual(['mine']);
  });

  it('forgets what was decided and not begun', async () => {
    await put('one', ONE);
    await place.quarantine('two', TWO);
    await write(
      join(skills, '.quarantine/two/move.json'),
      JSON.stringify({ kind: 'place', ...move('two', TWO, { replace: true }) }),
    );
    await recover();
    expect([await textOf('ops/a/SKILL.md'), await textOf('hub.lock.json'), await left()]).toEqual([
      '# one',
      'lock of one',
      [],
    ]);
  });

  it('puts the old copy back when the new one had not come', async () => {
    await put('one', ONE);
    await place.quarantine('two', TWO);
    await write(
      join(skills, '.quarantine/two/move.json'),
      JSON.stringify({ kind: 'place', ...move('two', TWO, { replace: true }) }),
    );
    await rename(join(skills, 'ops/a'), join(skills, '.quarantine/two/old'));
    await recover();
    expect([await textOf('ops/a/SKILL.md'), await textOf('hub.lock.json'), await left()]).toEqual([
      '# one',
      'lock of one',
      [],
    ]);
  });

  it('writes the lockfile when the skill had come', async () => {
    await put('one', ONE);
    await place.quarantine('two', TWO);
    await expect(crashAt('hub.lock.json').place(move('two', TWO, { replace: true }))).rejects.toThrow(
      'crash',
    );
    await recover();
    expect([await textOf('ops/a/SKILL.md'), await textOf('hub.lock.json'), await left()]).toEqual([
      '# two',
      'lock of two',
      [],
    ]);
  });

  it('takes away what is not what was judged', async () => {
    await put('one', ONE);
    await place.quarantine('two', TWO);
    await expect(crashAt('hub.lock.json').place(move('two', TWO, { replace: true }))).rejects.toThrow(
      'crash',
    );
    await writeFile(join(skills, 'ops/a/SKILL.md'), '# evil');
    await recover();
    expect([await textOf('ops/a/SKILL.md'), await textOf('hub.lock.json')]).toEqual(['# one', 'lock of one']);
  });

  it('finishes a removal that had begun', async () => {
    await put('one', ONE);
    await expect(crashAt('hub.lock.json').remove('ops/a', 'lock without')).rejects.toThrow('crash');
    await recover();
    expect(await textOf('hub.lock.json')).toBe('lock without');
    expect(await place.read('ops/a')).toBeUndefined();
    expect(await left()).toEqual([]);
  });

  it('does not follow a journal out of the skills', async () => {
    await write(
      join(skills, '.quarantine/x/move.json'),
      JSON.stringify({ kind: 'remove', id: 'x', path: '../../etc', lock: '' }),
    );
    await recover();
    expect(await place.readLock()).toBeUndefined();
  });

  it.each([
    ['before the journal', 'move.json', false],
    ['before the lockfile', 'hub.lock.json', true],
  ])(
    'is whole when the process is killed %s',
    async (_, name, arrived) => {
      const script = `
      import { writeFile, mkdir } from 'node:fs/promises';
      import { dirname } from 'node:path';
      import { createHash } from 'node:crypto';
      import { openHubPlace } from ${JSON.stringify(new URL('./open-hub-place.ts', import.meta.url).href)};
      const [skills, name] = process.argv.slice(1);
      const write = async (path, text) => {
        if (path.endsWith(name)) process.kill(process.pid, 'SIGKILL');
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, text);
      };
      const place = openHubPlace({ skills, lock: (_, work) => work(), write });
      const bytes = new TextEncoder().encode('# killed');
      await place.quarantine('k', [{ path: 'SKILL.md', bytes }]);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      await place.place({ id: 'k', path: 'ops/k', replace: false, files: [{ path: 'SKILL.md', sha256, bytes: 8 }], lock: 'lock of k' });
    `;
      const child = spawn(process.execPath, ['--input-type=module', '-e', script, skills, name], {
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      const [, killed] = (await once(child, 'exit')) as [number | null, string | null];
      expect(killed).toBe('SIGKILL');
      expect(await left()).toEqual(['k']);
      await recover();
      expect(await left()).toEqual([]);
      expect(await place.readLock()).toBe(arrived ? 'lock of k' : undefined);
      expect((await place.read('ops/k')) !== undefined).toBe(arrived);
    },
    60_000,
  );
});
