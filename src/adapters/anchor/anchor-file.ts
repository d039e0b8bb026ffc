import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { AnchoredHead, HeadAnchor } from '#spec/ports';

const Line = z.object({ at: z.string(), home: z.string(), seq: z.number().int(), hash: z.string() });

/** One line of JSON a head, appended in one write and on disk when it resolves. Nothing in it is ever changed. */
export const fileAnchor = (path: string): HeadAnchor => ({
  tell: async (head) => {
    await mkdir(dirname(path), { recursive: true });
    const file = await open(path, 'a', 0o640);
    try {
      await file.write(`${JSON.stringify(head)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
  },
});

/** The heads of one home, in the order of their writing. A line that cannot be read is left out. */
export async function readAnchorFile(path: string, home: string): Promise<readonly AnchoredHead[]> {
  const lines = (await readFile(path, 'utf8')).split('\n').filter(Boolean);
  return lines.flatMap((line) => {
    const read = Line.safeParse(parsed(line));
    return read.success && read.data.home === home ? [read.data] : [];
  });
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // Half a line, where a disk was full.
    return undefined;
  }
}
