import { open } from 'node:fs/promises';
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
