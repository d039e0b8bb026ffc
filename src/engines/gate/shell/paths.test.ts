import { describe, expect, it } from 'vitest';
import { globMatches, isGuardPath, isPrivatePath, isStartupPath, resolvePath, zoneOf } from './paths.ts';

const ground = { workspace: '/srv/app', cwd: '/srv/app/src' };

describe('zoneOf', () => {
  it.each([
    ['a', 'work'],
    ['../a', 'work'],
    ['../../a', 'outside'],
    ['/tmp/x', 'temp'],
    ['/tmp', 'top'],
    ['/tmp/../etc/x', 'system'],
    ['//etc/x', 'system'],
    ['/', 'top'],
    ['/*', 'top'],
    ['~', 'top'],
    ['~/x', 'home'],
    ['/home/me', 'top'],
    ['/home/me/x', 'home'],
    ['/dev/null', 'null'],
    ['/dev/sda', 'device'],
    ['/dev/shm/x', 'temp'],
    ['/dev/tcp/h/1', 'socket'],
    ['/proc/self/root/etc/x', 'system'],
    ['/proc/1/root/proc/self/root/srv/app/x', 'work'],
    ['/proc/self/cwd/x', 'work'],
    ['/srv/data', 'outside'],
  ])('%s is %s', (path, zone) => expect(zoneOf(resolvePath(path, ground), ground)).toBe(zone));

  it('knows nothing without a folder', () => {
    expect(zoneOf(resolvePath('a', { ...ground, cwd: undefined }), ground)).toBe('unknown');
  });
});

it('isPrivatePath', () => {
  const all = [
    '/~/.ssh/id_rsa',
    '/srv/app/.env',
    '/srv/app/.env.local',
    '/etc/shadow',
    '/proc/self/environ',
    '/x/server.key',
    '/~/.aws/credentials',
    '/x/private-key.pem',
  ];
  expect(all.filter((path) => !isPrivatePath(path, false))).toEqual([]);
  const none = [
    '/srv/app/.env.example',
    '/~/.ssh/id_rsa.pub',
    '/~/.ssh/known_hosts',
    '/x/cert.pem',
    '/x/keys.ts',
    '/etc/hosts',
  ];
  expect(none.filter((path) => isPrivatePath(path, false))).toEqual([]);
  expect(isPrivatePath('/~/.s?h/id_*', true)).toBe(true);
  expect(isPrivatePath('/srv/app/*', true)).toBe(false);
});

it('isStartupPath and isGuardPath', () => {
  expect(
    ['/~/.bashrc', '/srv/app/.git/hooks/x', '/etc/cron.d/x', '/~/.config/systemd/user/x.service'].every(
      isStartupPath,
    ),
  ).toBe(true);
  expect(isStartupPath('/srv/app/src/profile.ts')).toBe(false);
  expect(isGuardPath('/home/me/.hermes/config.yaml')).toBe(true);
  expect(isGuardPath('/srv/hermes/x.ts')).toBe(false);
});

it('globMatches', () => {
  expect(globMatches('/e*/[p]asswd', '/etc/passwd')).toBe(true);
  expect(globMatches('/*', '/a/b')).toBe(false);
  expect(globMatches('/x/*', '/x/.env')).toBe(false);
  expect(globMatches('/x/[', '/x/y')).toBe(true);
});
