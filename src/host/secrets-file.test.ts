import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { homeAt } from './home.ts';
import { openSecretsFile } from './secrets-file.ts';

it('says when others can read the secrets, and how to mend it', async () => {
  const root = await mkdtemp(join(tmpdir(), "hermes it's-"));
  const home = homeAt(root, 'default');
  expect(await openSecretsFile(home)).toBeUndefined();
  await writeFile(home.file('.env'), 'A=b\n', { mode: 0o600 });
  expect(await openSecretsFile(home)).toBeUndefined();
  for (const mode of [0o640, 0o604, 0o620, 0o644]) {
    await chmod(home.file('.env'), mode);
    expect((await openSecretsFile(home))?.fix).toMatch(/^chmod 600 '.*it'\\''s-.*\/\.env'$/);
  }
  await rm(root, { recursive: true });
});
