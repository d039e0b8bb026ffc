import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { z } from 'zod';
import type { AuditHead } from '#spec/ports';

const Head = z.object({ seq: z.number().int().nonnegative(), hash: z.string() });

/** Undefined when there is none; `broken` when something else stands there. */
export function readHead(path: string): AuditHead | undefined | 'broken' {
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
export function writeHead(path: string, head: AuditHead): void {
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
