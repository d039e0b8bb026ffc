import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadConfig } from './config/load-config.ts';
import { homeAt } from './home.ts';
import { secretValues } from './secret-values.ts';

it('knows what .env, the environment and the configuration keep secret', async () => {
  const root = await mkdtemp(join(tmpdir(), 'hermes-secrets-'));
  const home = homeAt(root, 'default');
  await writeFile(
    home.file('.env'),
    'ODDLY_NAMED=from-the-env-file\nPROMETHEUS_URL=http://127.0.0.1:9090\nDEFAULT_SERVICE=payment-service\n',
  );
  await writeFile(
    home.file('config.yaml'),
    'providers:\n  own:\n    base_url: http://a.example\n    api_key: written-down\n',
  );
  const loaded = await loadConfig(home, {
    PATH: '/usr/bin:/bin',
    DEPLOY_TOKEN: 'from-the-environment',
    REDIS_URL: 'redis://app:in-the-address@cache:6379/0',
    SSH_KEY_FILE: '/home/a/.ssh/id',
    EDITOR: 'ordinary-word',
  });
  expect(
    secretValues(loaded)
      .map(({ value }) => value)
      .toSorted(),
  ).toEqual(['from-the-env-file', 'from-the-environment', 'in-the-address', 'written-down'].toSorted());
  await rm(root, { recursive: true });
});
