import { expect, it } from 'vitest';
import { run } from './run.ts';
import type { Stage } from './sandbox-contract.ts';

/** Files in and out, byte for byte. */
export function describeFileTransfer({ sandbox }: Stage): void {
  const at = (path: string) => `${sandbox().workspace}/${path}`;

  it.each(['plain.bin', 'new/folder/deep.bin', `odd '"$(x)\\ name\n;.bin`, '-dash.bin'])(
    'reads back what was written to %j',
    async (name) => {
      const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => (index * 7) % 256);
      await sandbox().writeFile(at(name), bytes);
      expect(Buffer.from(await sandbox().readFile(at(name))).equals(bytes)).toBe(true);
    },
  );

  it('shares its files with the commands', async () => {
    await sandbox().writeFile(at('in.txt'), Buffer.from('from outside\n'));
    const end = await run(sandbox(), 'cat in.txt; echo from inside > out.txt');
    expect(end.stdout).toBe('from outside\n');
    expect(Buffer.from(await sandbox().readFile(at('out.txt'))).toString()).toBe('from inside\n');
  });

  it('replaces a file as a whole, and keeps an empty one', async () => {
    await sandbox().writeFile(at('again.txt'), Buffer.from('a long first text'));
    await sandbox().writeFile(at('again.txt'), Buffer.from('短い'));
    expect(Buffer.from(await sandbox().readFile(at('again.txt'))).toString()).toBe('短い');
    await sandbox().writeFile(at('again.txt'), new Uint8Array());
    expect(await sandbox().readFile(at('again.txt'))).toHaveLength(0);
  });

  it('says which file is not there', async () => {
    await expect(sandbox().readFile(at('missing.txt'))).rejects.toMatchObject({
      record: { code: 'tool.failed', message: expect.stringContaining('missing.txt') },
    });
    await sandbox().writeFile(at('in-the-way'), Buffer.from('x'));
    await expect(sandbox().writeFile(at('in-the-way/below'), Buffer.from('x'))).rejects.toMatchObject({
      record: { code: 'tool.failed' },
    });
  });
}
