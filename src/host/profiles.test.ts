import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Home, homeAt, resolveHome } from './home.ts';
import { createProfile, listProfiles, switchProfile } from './profiles.ts';

let home: Home;
beforeEach(async () => {
  home = homeAt(await mkdtemp(join(tmpdir(), 'hermes-profiles-')), 'default');
});
afterEach(() => rm(home.base, { recursive: true, force: true }));

const names = (of: Home) => listProfiles(of).map(({ name, active }) => (active ? `${name}*` : name));
const refusal = (code: string) => ({ record: { code } });

describe('createProfile', () => {
  it('makes an empty, private profile', async () => {
    const { home: made, notes } = await createProfile(home, 'work');
    expect(notes).toEqual([]);
    expect(made.root).toBe(join(home.base, 'profiles', 'work'));
    expect((await stat(made.root)).mode & 0o777).toBe(0o700);
    expect(await readdir(made.root)).toEqual([]);
    expect(names(home)).toEqual(['default*', 'work']);
  });

  it('copies settings and soul of its base, and nothing that is private to it', async () => {
    const config = '# mine\nllm:\n  provider: openai # x\n  api_key: ${OPENAI_API_KEY}\n';
    await writeFile(home.file('config.yaml'), config);
    await writeFile(home.file('SOUL.md'), 'You are calm.\n');
    await writeFile(home.file('.env'), 'OPENAI_API_KEY=hunter2\n');
    await writeFile(home.file('state.db'), 'state');
    await mkdir(home.dir('memories'));
    const { home: made } = await createProfile(home, 'work', { base: 'default' });
    expect((await readdir(made.root)).toSorted()).toEqual(['SOUL.md', 'config.yaml']);
    expect(await readFile(made.file('config.yaml'), 'utf8')).toBe(config);
    expect(await readFile(made.file('SOUL.md'), 'utf8')).toBe('You are calm.\n');
  });

  it('does not copy a key that stands in config.yaml in clear text', async () => {
    await writeFile(
      home.file('config.yaml'),
      'llm:\n  model: m\n  api_key: hunter2\n  credentials: {keys: [hunter2, "${A}", hunter2]}\n',
    );
    const { home: made, notes } = await createProfile(home, 'work', { base: 'default' });
    const text = await readFile(made.file('config.yaml'), 'utf8');
    expect(text).not.toContain('hunter2');
    expect(text).toContain('${A}');
    expect(notes).toHaveLength(3);
    expect(notes.join()).not.toContain('hunter2');
  });

  it('refuses a name that is taken or impossible, and a base that is not there', async () => {
    await createProfile(home, 'work');
    await writeFile(join(home.base, 'profiles', 'work', 'SOUL.md'), 'kept');
    await expect(createProfile(home, 'work')).rejects.toMatchObject(refusal('profile.invalid'));
    await expect(createProfile(home, 'default')).rejects.toMatchObject(refusal('profile.invalid'));
    await expect(createProfile(home, '../x')).rejects.toMatchObject(refusal('profile.invalid'));
    await expect(createProfile(home, 'new', { base: 'worc' })).rejects.toMatchObject(
      refusal('profile.not_found'),
    );
    await expect(createProfile(home, 'new', { base: '../..' })).rejects.toMatchObject(
      refusal('profile.invalid'),
    );
    expect(names(home)).toEqual(['default*', 'work']);
    expect(existsSync(join(home.base, 'x'))).toBe(false);
  });
});

describe('switchProfile', () => {
  it('decides which home is used from now on', async () => {
    await createProfile(home, 'work');
    await switchProfile(home, 'work');
    const now = resolveHome({ env: { HERMES_HOME: home.base } });
    expect(now.profile).toBe('work');
    expect(names(now)).toEqual(['default', 'work*']);
    await switchProfile(now, 'default');
    expect(resolveHome({ env: { HERMES_HOME: home.base } }).root).toBe(home.base);
  });

  it('refuses a profile that is not there', async () => {
    await expect(switchProfile(home, 'nope')).rejects.toMatchObject(refusal('profile.not_found'));
    await expect(switchProfile(home, '../nope')).rejects.toMatchObject(refusal('profile.invalid'));
    expect(existsSync(join(home.base, 'active_profile'))).toBe(false);
  });
});

it('lists only what can be a profile', async () => {
  await mkdir(join(home.base, 'profiles', 'Work'), { recursive: true });
  await mkdir(join(home.base, 'profiles', 'default'));
  await mkdir(join(home.base, 'profiles', 'b'));
  await mkdir(join(home.base, 'profiles', 'a'));
  await writeFile(join(home.base, 'profiles', 'ops.yaml'), '');
  await writeFile(join(home.base, 'profiles', 'a.yaml'), '');
  expect(names(home)).toEqual(['default*', 'a', 'b', 'ops']);
});
