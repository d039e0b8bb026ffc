import type { Glob } from './glob.ts';
import { ripgrep } from './ripgrep.ts';

/** Files and folders below `cwd` that match, in the order of their paths, as paths that `show` gives. */
export async function findNames(
  glob: Glob,
  cwd: string,
  limit: number,
  show: (path: string) => string | undefined,
  signal: AbortSignal,
): Promise<string[]> {
  const found: string[] = [];
  const folders = new Set<string>();
  const args = ['--files', '--null', ...(glob.hidden ? ['--hidden', '--glob=!.git'] : []), '--', './'];
  for await (const record of ripgrep(args, '\0', cwd, signal)) {
    const path = record.replace(/^\.[\\/]/, '').replaceAll('\\', '/');
    for (const candidate of [...newFolders(path, folders), path]) {
      const shown = glob.matches(candidate) ? show(candidate) : undefined;
      if (shown !== undefined) found.push(shown);
      if (found.length >= limit) return found;
    }
  }
  return found;
}

/** The folders on the way to a file that were not seen before, outermost first. */
function newFolders(path: string, seen: Set<string>): string[] {
  const fresh: string[] = [];
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
    const folder = path.slice(0, at + 1);
    if (seen.has(folder)) break;
    seen.add(folder);
    fresh.unshift(folder);
  }
  return fresh;
}
