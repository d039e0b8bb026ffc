import { open } from 'node:fs/promises';
import { posix } from 'node:path';
import { fail } from '#kit/app-error';
import type { Sandbox } from '#spec/ports';
import { type BytesAnswer, runBytes } from '../process/run-bytes.ts';
import { refuseLinks } from './refuse-links.ts';
import { commandLine, type Namespace } from './start-in-namespace.ts';

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 64 * 2 ** 20;

/** Runs a short program behind the same barriers as a command, and collects its bytes. */
export async function runInNamespace(
  namespace: Namespace,
  words: readonly string[],
  input?: Uint8Array,
): Promise<BytesAnswer> {
  refuseLinks(namespace.mountedFrom);
  const files = await Promise.all(
    [namespace.argumentsFile, namespace.filterFile].map((path) => open(path, 'r')),
  );
  try {
    const [file = '', ...args] = commandLine(namespace, words, false);
    return await runBytes({
      file,
      args,
      env: {},
      cwd: '/',
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      descriptors: ['ignore', 'ignore', ...files.map(({ fd }) => fd)],
      ...(input ? { input } : {}),
    });
  } finally {
    await Promise.all(files.map((handle) => handle.close()));
  }
}

const READ = 'exec cat < "$1"';
const WRITE = 'mkdir -p "$2" && exec cat > "$1"';

/** Files as commands see them: a link that a command laid leads nowhere that the command could not go itself. */
export function namespaceFiles(
  namespace: Namespace,
  assertOpen: () => void,
): Pick<Sandbox, 'readFile' | 'writeFile'> {
  const work = async (script: string, path: string, input?: Uint8Array) => {
    assertOpen();
    const target = posix.resolve(namespace.workspace, path);
    const words = [namespace.shell, '-c', script, 'file', target, posix.dirname(target)];
    const { code, stdout, stderr } = await runInNamespace(namespace, words, input);
    if (code === 0) return stdout;
    throw fail('tool.failed', `${path}: ${stderr.trim().split(': ').at(-1) ?? `code ${code}`}`);
  };
  return {
    readFile: (path) => work(READ, path),
    async writeFile(path, bytes) {
      await work(WRITE, path, bytes);
    },
  };
}
