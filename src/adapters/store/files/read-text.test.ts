import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readText } from './read-text.ts';

it('tells a missing file from one that cannot be read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hermes-read-'));
  try {
    await writeFile(join(folder, 'there'), '你好');
    expect(await readText(join(folder, 'there'))).toBe('你好');
    expect(await readText(join(folder, 'absent'))).toBeUndefined();
    await expect(readText(folder)).rejects.toMatchObject({
      record: { code: 'config.unreadable', message: expect.stringContaining(folder) },
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
