import { execFile } from 'node:child_process';
import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { AppError } from '#kit/app-error';
import type { Files } from '#spec/ports';

const MOST_BYTES = 400_000;
const MOST_ENTRIES = 300;
const FETCH_MS = 10_000;

/** Reads what `@` references name: files and folders of the workspace, its git changes, pages of the web. */
export function localReferences(files: Files) {
  return {
    file: (path: string): Promise<string | undefined> =>
      unlessRefused(async () => {
        const stat = await files.stat(path);
        if (stat?.kind !== 'file' || stat.size > MOST_BYTES) return undefined;
        const bytes = await files.read(path);
        return bytes.includes(0) ? undefined : new TextDecoder().decode(bytes);
      }),
    folder: (path: string): Promise<string | undefined> =>
      unlessRefused(async () => {
        const stat = await files.stat(path || '.');
        if (stat?.kind !== 'folder') return undefined;
        const prefix = path.replace(/\/+$/, '');
        const names = await files.find(
          prefix && prefix !== '.' ? `${prefix}/**` : '**',
          MOST_ENTRIES,
          AbortSignal.timeout(FETCH_MS),
        );
        return names.join('\n');
      }),
    diff: (staged: boolean): Promise<string | undefined> => gitDiff(files.root, staged),
    url: fetchPage,
  };
}

/** What may not be read is not there, for a reference. */
async function unlessRefused(read: () => Promise<string | undefined>): Promise<string | undefined> {
  try {
    return await read();
  } catch (thrown) {
    if (thrown instanceof AppError) return undefined;
    throw thrown;
  }
}

function gitDiff(cwd: string, staged: boolean): Promise<string | undefined> {
  const args = ['diff', '--no-color', '--no-ext-diff', ...(staged ? ['--staged'] : ['HEAD'])];
  return new Promise((resolve) => {
    execFile('git', args, { cwd, maxBuffer: 20 * MOST_BYTES }, (error, stdout) =>
      resolve(error ? undefined : stdout),
    );
  });
}

/** Addresses inside the machine or its network, which a pasted link must not reach. */
const PRIVATE = new BlockList();
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  PRIVATE.addSubnet(net, bits, 'ipv4');
}
for (const [net, bits] of [
  ['::', 8],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
  ['64:ff9b::', 32],
  ['2002::', 16],
] as const)
  PRIVATE.addSubnet(net, bits, 'ipv6');

async function fetchPage(address: string, signal: AbortSignal): Promise<string | undefined> {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol) || !(await isPublic(url.hostname))) return undefined;
  try {
    const response = await fetch(url, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(FETCH_MS)]),
      redirect: 'error',
      headers: { accept: 'text/*, application/json' },
    });
    const type = response.headers.get('content-type') ?? '';
    if (!response.ok || !/^text\/|json|xml/.test(type)) return undefined;
    const text = (await response.text()).slice(0, MOST_BYTES);
    return /html/.test(type) ? plainText(text) : text;
  } catch {
    // Out of reach: the reference says that it could not be read.
    return undefined;
  }
}

async function isPublic(host: string): Promise<boolean> {
  const bare = host.replace(/^\[|\]$/g, '');
  const found = isIP(bare)
    ? [{ address: bare, family: isIP(bare) }]
    : await lookup(bare, { all: true }).catch(() => []);
  return (
    found.length > 0 &&
    found.every(({ address, family }) => !PRIVATE.check(address, family === 6 ? 'ipv6' : 'ipv4'))
  );
}

function plainText(html: string): string {
  return html
    .replaceAll(/<(script|style|noscript)[\s\S]*?<\/\1>/gi, ' ')
    .replaceAll(/<(br|\/p|\/div|\/li|\/h\d|\/tr)[^>]*>/gi, '\n')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&nbsp;/g, ' ')
    .replaceAll(/&lt;/g, '<')
    .replaceAll(/&gt;/g, '>')
    .replaceAll(/&amp;/g, '&')
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(/\s*\n\s*/g, '\n')
    .trim();
}
