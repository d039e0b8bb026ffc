import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { keptLog } from '#testkit/log';
import type { SandboxPlace } from '#spec/ports';
import { sandbox as docker } from './docker.ts';

const PROGRAM = ['/usr/local/bin/docker', '/usr/bin/docker'].find((path) => existsSync(path));
const SOCKET = '/var/run/docker.sock';

const place = (program: string | undefined): SandboxPlace => ({
  name: 'docker-test',
  workspace: '/tmp',
  hidden: [],
  limits: { memoryMb: 96, processes: 48, cpuSeconds: 2 },
  program: () => program,
  key: () => undefined,
  log: keptLog(),
});

describe('docker', () => {
  it('says that the program is missing', async () => {
    const missing = await docker.available(docker.options.parse({}), place(undefined));
    expect(missing?.fix).toMatchObject({ en: 'Install docker.' });
  });

  it.skipIf(!PROGRAM || existsSync(SOCKET))(
    'says that no service answers (skipped without the docker program, or where its service runs)',
    async () => {
      const missing = await docker.available(docker.options.parse({}), place(PROGRAM));
      expect(JSON.stringify(missing?.what)).toContain('docker');
      expect(missing?.fix).toMatchObject({ en: expect.stringContaining('service') });
    },
  );
});
