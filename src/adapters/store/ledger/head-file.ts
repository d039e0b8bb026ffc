import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { z } from 'zod';

const Head = z.object({ seq: z.number().int(), hash: z.string() });
/** Where the audit log ended when it was last written to. */
export type Head = z.infer<typeof Head>;

/** Undefined when there is none; `broken` when something else stands there. */
export function readHead(path: string): Head | undefined | 'broken' {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return Head.parse(JSON.parse(text));
  } catch {
    // It was written by a rename, so nothing of ours leaves half a file.
    return 'broken';
  }
}

/** Whole or not at all, and on disk when it returns. Only the holder of the ledger's write lock may call it. */
export function writeHead(path: string, head: Head): void {
  const draft = `${path}.draft`;
  const file = openSync(draft, 'w', 0o600);
  try {
    writeSync(file, `${JSON.stringify(head)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
}
