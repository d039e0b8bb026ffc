import type { Dirent } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

export interface ConsoleFile {
  readonly type: string;
  readonly bytes: Uint8Array;
  /** Absent where it would gain nothing. */
  readonly gzipped?: Uint8Array;
  /** Its name says what is in it: it never changes. */
  readonly hashed: boolean;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};
const TEXT = /^text|javascript|json|svg/;
const WORTH_BYTES = 1_024;
const MOST_BYTES = 32 * 1024 * 1024;
const HASHED = /^\/assets\/.*-[\w-]{8,}\.\w+$/;

const pack = promisify(gzip);

/**
 * The built console by address: exactly the plain files of its folder that have a known kind, read once. Links, hidden
 * files and everything outside are not among them, so no address leads there. Undefined where it is not built.
 */
export async function readConsoleFiles(
  folder: string,
): Promise<ReadonlyMap<string, ConsoleFile> | undefined> {
  // A console that cannot be read is one that was not built: the page says how.
  const index = await stat(join(folder, 'index.html')).catch(() => undefined);
  if (!index?.isFile()) return undefined;
  const files = new Map<string, ConsoleFile>();
  let left = MOST_BYTES;
  for (const address of await addresses(folder, '')) {
    const type = TYPES[extname(address)];
    if (!type) continue;
    const bytes = await readFile(join(folder, address));
    left -= bytes.length;
    if (left < 0) break;
    const gzipped = TEXT.test(type) && bytes.length >= WORTH_BYTES ? await pack(bytes) : undefined;
    files.set(address, { type, bytes, ...(gzipped ? { gzipped } : {}), hashed: HASHED.test(address) });
  }
  return files;
}

async function addresses(folder: string, under: string): Promise<string[]> {
  const entries: Dirent[] = await readdir(join(folder, under), { withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries) {
    const { name } = entry;
    if (name.startsWith('.')) continue;
    if (entry.isDirectory()) found.push(...(await addresses(folder, `${under}/${name}`)));
    else if (entry.isFile()) found.push(`${under}/${name}`);
  }
  return found;
}
