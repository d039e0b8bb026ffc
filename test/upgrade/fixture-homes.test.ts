import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Held } from '../../scripts/release/fixture-home.ts';
import { hermes, makeHome } from '../cli/hermes.ts';

const HOMES = join(import.meta.dirname, '..', 'fixtures', 'homes');
const versions = readdirSync(HOMES).filter((name) => name !== 'README.md');

it('every release since 0.2.0 left its home', () => {
  const changelog = readFileSync(join(import.meta.dirname, '..', '..', 'CHANGELOG.md'), 'utf8');
  const released = [...changelog.matchAll(/^## \[(\d+\.\d+\.\d+)\]/gm)].map(([, version]) => version);
  expect(new Set(versions)).toEqual(new Set(released));
});

describe.each(versions)('a home of %s, opened today', (version) => {
  const held = JSON.parse(readFileSync(join(HOMES, version, 'held.json'), 'utf8')) as Held;
  let home: string;
  beforeAll(async () => {
    home = await makeHome();
    cpSync(join(HOMES, version, 'home'), home, { recursive: true });
  });

  it.each<readonly [string, readonly string[], readonly string[]]>([
    ['sessions', ['sessions', 'list', '--all'], held.sessions],
    ['rules', ['memory', 'rules'], held.rules],
    ['incidents', ['incident', 'list', '--all'], held.incidents],
    ['skills', ['skills', 'list'], held.skills],
  ])('has its %s', async (_, args, all) => {
    const { code, out, err } = await hermes(home, args);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    for (const one of all) expect(out).toContain(one);
  });

  // What is kept for a person is found by that person alone.
  it.skipIf(held.user !== userInfo().username)('has its memories', async () => {
    for (const text of held.memories) {
      const { code, out } = await hermes(home, ['memory', 'search', text]);
      expect(code).toBe(0);
      expect(out).toContain(text);
    }
  });

  it('has its notebook', () => {
    const notebook = readFileSync(join(home, 'memories', 'MEMORY.md'), 'utf8');
    for (const note of held.notes) expect(notebook).toContain(note);
  });

  it('is worked in: one more message is stored, and the audit log is whole', async () => {
    expect(await hermes(home, ['run', 'remember that carts expire after an hour'])).toMatchObject({
      code: 0,
    });
    const { out } = await hermes(home, ['sessions', 'list', '--all']);
    for (const said of ['carts expire', ...held.sessions]) expect(out).toContain(said);
    expect(await hermes(home, ['audit', 'verify'])).toMatchObject({ code: 0 });
  });
});
