import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { RouteAnswer } from '#spec/ports';
import { type ConsoleFile, readConsoleFiles } from './console-files.ts';

type Headers = Readonly<Record<string, string>>;

/** What a page of the console may do: nothing but with this origin. */
const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
};
/** Addresses of programs: a person who goes there and finds nothing is not given a page. */
const NO_PAGES = /^\/(?:api|gateway|v1|assets|metrics|healthz|readyz)(?:\/|$)/;

/**
 * Serves the built console. Files are served by their exact address alone; every other address that a person goes to is
 * the console itself, which finds its page there. Built again, it is read again.
 */
export function consolePages(
  folder: string,
): (path: string, headers: Headers) => Promise<RouteAnswer | undefined> {
  let builtAt: number | undefined;
  let files: Promise<ReadonlyMap<string, ConsoleFile> | undefined> = Promise.resolve(undefined);
  const current = async () => {
    const found = await stat(join(folder, 'index.html')).catch(() => undefined);
    if (found?.mtimeMs !== builtAt) {
      builtAt = found?.mtimeMs;
      files = readConsoleFiles(folder);
    }
    return files;
  };
  return async (path, headers) => {
    const known = await current();
    const file = known?.get(path);
    if (file && path !== '/index.html') return fileAnswer(file, headers);
    if (!isPage(path, headers)) return undefined;
    const index = known?.get('/index.html');
    return index ? pageAnswer(index, headers) : NOT_BUILT;
  };
}

/** Whether a person goes there, to something that can be a page. */
function isPage(path: string, headers: Headers): boolean {
  if (!headers['accept']?.includes('text/html') || NO_PAGES.test(path)) return false;
  return path.split('/').slice(1).every(isName);
}

/** A part of an address that is one name, also after decoding: no way to elsewhere, nothing hidden. */
function isName(part: string): boolean {
  let name = part;
  for (let times = 0; times < 3; times++) {
    // oxlint-disable-next-line no-control-regex
    if (name.startsWith('.') || /[/\\\0-\x1f\x7f]/.test(name)) return false;
    try {
      name = decodeURIComponent(name);
    } catch {
      // No percent-encoded UTF-8, so no name.
      return false;
    }
  }
  return true;
}

const fileAnswer = (file: ConsoleFile, headers: Headers): RouteAnswer =>
  packed(file, headers, {
    'content-type': file.type,
    'cache-control': file.hashed ? 'public, max-age=31536000, immutable' : 'no-cache',
  });

const pageAnswer = (index: ConsoleFile, headers: Headers): RouteAnswer =>
  packed(index, headers, { 'content-type': index.type, 'cache-control': 'no-store', ...PAGE_HEADERS });

function packed(
  { bytes, gzipped }: ConsoleFile,
  asked: Headers,
  headers: Record<string, string>,
): RouteAnswer {
  const packs = gzipped !== undefined && /\bgzip\b/.test(asked['accept-encoding'] ?? '');
  return {
    status: 200,
    headers: {
      ...headers,
      ...(gzipped ? { vary: 'accept-encoding' } : {}),
      ...(packs ? { 'content-encoding': 'gzip' } : {}),
    },
    body: packs ? gzipped : bytes,
  };
}

const NOT_BUILT: RouteAnswer = {
  status: 503,
  headers: { 'content-type': 'text/html; charset=utf-8', ...PAGE_HEADERS },
  body: `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Hermes</title>
<h1>The console is not built</h1>
<p>The server runs. Build its pages with <code>npm run build</code> in the folder of Hermes and load this page again.</p>
<p lang="zh">控制台尚未构建:在 Hermes 目录运行 <code>npm run build</code>,然后刷新本页。</p>
</html>
`,
};
