import { posix } from 'node:path';
import { fail } from '#kit/app-error';
import type { Sandbox } from '#spec/ports';
import { runInNamespace } from './run-in-namespace.ts';
import type { Namespace } from './start-in-namespace.ts';

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
