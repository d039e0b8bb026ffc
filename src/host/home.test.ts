import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resolveHome } from './home.ts';

let base: string;
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'hermes-home-'));
  await mkdir(join(base, 'profiles', 'work'), { recursive: true });
  await mkdir(join(base, 'profiles', 'research'));
});
afterEach(() => rm(base, { recursive: true, force: true }));

const home = (profile?: string, env: Record<string, string> = {}) =>
  resolveHome({ env: { HERMES_HOME: base, ...env }, profile });

describe('resolveHome', () => {
  it('uses ~/.hermes without HERMES_HOME and makes nothing', () => {
    const { root, profile } = resolveHome({ env: { HOME: base } });
    expect([root, profile]).toEqual([join(base, '.hermes'), 'default']);
    expect(existsSync(root)).toBe(false);
    expect(resolveHome({ env: { HOME: base, HERMES_HOME: '~/h' } }).root).toBe(join(base, 'h'));
  });

  it('prefers the argument, then HERMES_PROFILE, then the one switched to', async () => {
    expect(home().profile).toBe('default');
    await writeFile(join(base, 'active_profile'), 'work\n');
    expect(home().root).toBe(join(base, 'profiles', 'work'));
    expect(home(undefined, { HERMES_PROFILE: 'research' }).profile).toBe('research');
    expect(home('default', { HERMES_PROFILE: 'research' }).root).toBe(base);
    expect(home('work').file('config.yaml')).toBe(join(base, 'profiles', 'work', 'config.yaml'));
    expect(home('work').base).toBe(base);
  });

  it('suggests the nearest profile and how to make one', () => {
    expect(() => home('worc')).toThrow(
      expect.objectContaining({
        record: expect.objectContaining({
          code: 'profile.not_found',
          hint: expect.stringMatching(/"work"[\s\S]*hermes profile create worc/),
        }),
      }),
    );
  });

  it('takes a single file for a profile, with a home of its own beside it', async () => {
    await writeFile(join(base, 'profiles', 'ops.yaml'), 'profile: {}');
    await writeFile(join(base, 'active_profile'), 'ops');
    expect(home().root).toBe(join(base, 'profiles', 'ops'));
    expect(home().profileFile).toBe(join(base, 'profiles', 'ops.yaml'));
    expect((await stat(home().root)).mode & 0o777).toBe(0o700);
  });

  it('points at the way back from a profile that is gone', async () => {
    await writeFile(join(base, 'active_profile'), 'gone');
    expect(() => home()).toThrow(
      expect.objectContaining({
        record: expect.objectContaining({ hint: expect.stringMatching(/create gone[\s\S]*switch default/) }),
      }),
    );
  });

  it.each([
    '..',
    '../work',
    '.',
    '',
    'a/b',
    'a\\b',
    '/etc',
    'Work',
    '-x',
    'a b',
    'work\n',
    'a'.repeat(65),
    '%2e%2e',
    'é',
  ])('refuses %j as a name', async (name) => {
    const refusal = expect.objectContaining({ record: expect.objectContaining({ code: 'profile.invalid' }) });
    expect(() => home(name)).toThrow(refusal);
    if (name.trim() === '' || name === 'work\n') return;
    expect(() => home(undefined, { HERMES_PROFILE: name })).toThrow(refusal);
    await writeFile(join(base, 'active_profile'), name);
    expect(() => home()).toThrow(refusal);
  });
});
