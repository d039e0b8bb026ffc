import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** Kilobytes of JavaScript, compressed, that the first page asks for before anything is shown. */
export function initialScriptKb(folder: string): number {
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const scripts = new Set([...page.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].map(([, path = '']) => path));
  const bytes = [...scripts].reduce(
    (sum, path) => sum + gzipSync(readFileSync(join(folder, path))).length,
    0,
  );
  return bytes / 1_024;
}
