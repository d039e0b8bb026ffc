import { describe, expect, it } from 'vitest';
import { parseBackends } from './parse-backends.ts';

const seed = {
  name: 'production_server',
  type: 'ssh',
  host: 'your-server.com',
  port: 22,
  user: 'deploy',
  key_file: '~/.ssh/id_ed25519',
  working_dir: '/home/deploy/projects',
  allowed_commands: ['python', 'node', 'docker', 'git', 'npm', 'uv'],
  denied_commands: ['rm -rf', 'sudo', 'shutdown'],
  timeout: 120,
};
const problem = async (value: unknown) =>
  parseBackends(value).then(
    () => undefined,
    (thrown: { record: { code: string; message: string; hint?: string } }) => thrown.record,
  );

describe('parseBackends', () => {
  it('reads the documented file', async () => {
    const { allowed_commands: _, denied_commands: __, timeout: ___, ...staging } = seed;
    const config = await parseBackends({
      backends: [seed, { ...staging, name: 'staging_server', sandbox: true }],
      default: 'staging_server',
    });
    expect(config.default).toBe('staging_server');
    expect(config.entries).toMatchObject([
      {
        name: 'production_server',
        type: 'ssh',
        allowedCommands: seed.allowed_commands,
        deniedCommands: seed.denied_commands,
        timeoutMs: 120_000,
        options: { host: 'your-server.com', port: 22, user: 'deploy', sandbox: false },
      },
      { name: 'staging_server', deniedCommands: [], options: { sandbox: true } },
    ]);
  });

  it('takes an empty file', async () => {
    expect(await parseBackends(undefined)).toEqual({ entries: [] });
    expect(await parseBackends({ backends: [] })).toEqual({ entries: [] });
  });

  it.each([
    [{ backends: [{ ...seed, hots: 'x' }] }, `backend 'production_server': unknown key 'hots'`, `'host'`],
    [{ backends: [{ ...seed, alowed_commands: [] }] }, `unknown key 'alowed_commands'`, `'allowed_commands'`],
    [{ backends: [{ ...seed, type: 'shh' }] }, `no type 'shh'`, `'ssh'`],
    [{ backends: [{ name: 'x' }] }, `backend 'x': 'type' is missing`, undefined],
    [{ backends: [{ ...seed, timeout: 'long' }] }, `'timeout'`, undefined],
    [{ backends: [{ ...seed, port: 99_999 }] }, `'port'`, undefined],
    [{ backends: [{ ...seed, host: '-oProxyCommand=x' }] }, `'host'`, undefined],
    [{ backends: [seed, seed] }, `Two backends are named 'production_server'`, undefined],
    [{ backends: [seed], default: 'production' }, `no backend 'production'`, 'production_server'],
    [{ backend: [] }, `Unknown key 'backend'`, `'backends'`],
    [{ backends: { a: 1 } }, 'must be a list', undefined],
    ['text', 'must hold', undefined],
    [{ backends: ['x'] }, 'backends[0] must be a mapping', undefined],
  ])('refuses %j', async (value, message, hint) => {
    const found = await problem(value);
    expect(found).toMatchObject({ code: 'config.invalid', message: expect.stringContaining(message) });
    if (hint) expect(found?.hint).toContain(hint);
  });
});
