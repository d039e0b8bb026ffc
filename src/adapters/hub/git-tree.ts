import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fail } from '#kit/app-error';
import type { FetchedTree, HubFile } from '#spec/ports';
import { FETCH_MS, MOST_ENTRIES, MOST_UNPACKED } from './limits.ts';
import { refuse } from './refuse.ts';

export interface GitOptions {
  /** The program. */
  readonly git: string;
  /** Where a repository may lie for a moment. */
  readonly temporary: string;
  /** What git and ssh may see of the environment, such as SSH_AUTH_SOCK. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface GitSource {
  readonly url: string;
  readonly ref?: string | undefined;
  readonly folder?: string | undefined;
}

/** No hooks, no filters, no submodules, no helpers, no protocol but three, nothing that a user has configured. */
const SETTINGS = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.attributesFile=/dev/null',
  'core.askPass=',
  'credential.helper=',
  'fetch.recurseSubmodules=false',
  'fetch.fsckObjects=true',
  'gc.auto=0',
  'maintenance.auto=false',
  'protocol.allow=never',
  'protocol.https.allow=always',
  'protocol.ssh.allow=always',
  'protocol.file.allow=always',
  'http.lowSpeedLimit=1000',
  'http.lowSpeedTime=20',
  'http.followRedirects=initial',
];

/**
 * The files of a repository at a branch, tag or commit, straight out of its objects: nothing is checked out, so no link
 * is made and no filter runs. One commit deep.
 */
export async function readGitTree(
  { url, ref, folder }: GitSource,
  { git, temporary, env = {} }: GitOptions,
  signal: AbortSignal,
): Promise<Pick<FetchedTree, 'files' | 'odd'> & { commit: string }> {
  if (ref !== undefined && !/^[A-Za-z0-9][\w./-]{0,200}$/.test(ref))
    throw fail('input.invalid', `No branch is called '${ref}'.`);
  const place = await mkdtemp(join(temporary, 'hub-'));
  const run = (args: readonly string[], input?: string) =>
    runGit({ git, place, env, args, signal, ...(input === undefined ? {} : { input }) });
  try {
    await run(['init', '--quiet', '--bare', '--template=', place]);
    await run([
      'fetch',
      '--quiet',
      '--depth=1',
      '--no-tags',
      '--no-recurse-submodules',
      '--',
      url,
      ref ?? 'HEAD',
    ]);
    const commit = (await run(['rev-parse', 'FETCH_HEAD^{commit}'])).toString().trim();
    const listed = await run([
      'ls-tree',
      '-r',
      '-z',
      '--long',
      '--full-tree',
      commit,
      ...(folder ? ['--', `${folder}/`] : []),
    ]);
    const { blobs, odd } = parseTree(listed.toString('utf8'));
    const content = await run(['cat-file', '--batch'], blobs.map((blob) => `${blob.id}\n`).join(''));
    const inner = (path: string) => (folder ? path.slice(folder.length + 1) : path);
    const files = readBatch(content, blobs).map((file) => ({ ...file, path: inner(file.path) }));
    return { files, odd: odd.map(inner), commit };
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

interface Blob {
  readonly id: string;
  readonly path: string;
}

/** `100644 blob <id> <size>\t<path>`, each ended by a NUL. */
function parseTree(listed: string): { blobs: Blob[]; odd: string[] } {
  const blobs: Blob[] = [];
  const odd: string[] = [];
  let left = MOST_UNPACKED;
  for (const line of listed.split('\0')) {
    const [, mode, id, size, path] = /^(\d{6}) \w+ ([0-9a-f]{40,64})\s+(\d+|-)\t(.+)$/s.exec(line) ?? [];
    if (!mode || !id || !path) continue;
    if (mode !== '100644' && mode !== '100755' && mode !== '100664') {
      odd.push(path);
      continue;
    }
    left -= Number(size);
    if (left < 0) throw refuse(`The repository holds more than ${MOST_UNPACKED} bytes: name a folder of it.`);
    if (blobs.length >= MOST_ENTRIES) throw refuse(`The repository holds more than ${MOST_ENTRIES} files.`);
    blobs.push({ id, path });
  }
  return { blobs, odd };
}

/** `<id> blob <size>\n<bytes>\n` for each object that was asked for, in order. */
function readBatch(content: Uint8Array, blobs: readonly Blob[]): HubFile[] {
  let at = 0;
  return blobs.map(({ path }) => {
    const end = content.indexOf(10, at);
    const size = Number(new TextDecoder().decode(content.subarray(at, end)).split(' ')[2]);
    if (end < 0 || !Number.isSafeInteger(size)) throw refuse('The repository is damaged.');
    const bytes = content.subarray(end + 1, end + 1 + size);
    at = end + 1 + size + 1;
    return { path, bytes };
  });
}

interface GitCall {
  readonly git: string;
  readonly place: string;
  readonly env: Readonly<Record<string, string>>;
  readonly args: readonly string[];
  readonly input?: string;
  readonly signal: AbortSignal;
}

function runGit({ git, place, env, args, input = '', signal }: GitCall): Promise<Buffer> {
  const options = {
    cwd: place,
    encoding: 'buffer' as const,
    maxBuffer: 2 * MOST_UNPACKED,
    timeout: FETCH_MS,
    signal,
    env: {
      PATH: `${dirname(git)}:/usr/local/bin:/usr/bin:/bin`,
      HOME: place,
      LC_ALL: 'C',
      ...env,
      GIT_DIR: place,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_ATTR_NOSYSTEM: '1',
      GIT_TERMINAL_PROMPT: '0',
      GIT_LITERAL_PATHSPECS: '1',
      GIT_ALLOW_PROTOCOL: 'https:ssh:file',
      GIT_SSH_COMMAND: 'ssh -oBatchMode=yes -oClearAllForwardings=yes',
    },
  };
  const settings = SETTINGS.flatMap((setting) => ['-c', setting]);
  return new Promise((done, failed) => {
    const child = execFile(git, [...settings, ...args], options, (error, stdout, stderr) => {
      if (!error) return done(stdout);
      const said = stderr.toString().trim().split('\n', 1)[0] || error.message.split('\n', 1)[0];
      failed(fail('tool.failed', `git ${args[0]}: ${said}`, undefined, error));
    });
    // It may end without reading; its exit tells why.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}
