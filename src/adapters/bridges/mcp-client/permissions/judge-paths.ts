import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, posix, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { McpPermissions } from '../mcp-server-config.ts';
import { followLinks, inside } from './follow-links.ts';
import { isContentKey, type Leaf } from './leaves.ts';

export interface PathPlace {
  /** Whether the server sees the files of this machine. Otherwise links cannot be followed and only names count. */
  readonly local: boolean;
  /** What a relative path starts from. */
  readonly cwd: string;
}

const PATH_WORDS =
  /(?:^|[_-])(?:path|file|filename|filepath|dir|directory|directories|folder|src|dst|dest|destination|source|target|root|cwd)s?$/;
const PATH_LIKE = /^(?:[/~\\]|\.{1,2}(?:[/\\]|$)|file:|[A-Za-z]:[\\/])|(?:^|[/\\])\.\.(?:[/\\]|$)/;
const MOST_PATH_CHARS = 4_096;

/** Why the paths among these arguments may not be touched; undefined when they may. */
export function judgePaths(
  leaves: readonly Leaf[],
  { allowedPaths, deniedPaths, maxFileBytes }: McpPermissions,
  place: PathPlace,
): string | undefined {
  if (!allowedPaths && !deniedPaths && maxFileBytes === undefined) return undefined;
  for (const { key, value } of leaves) {
    if (typeof value !== 'string' || !namesPath(key, value)) continue;
    if (value.includes('\0') || value.length > MOST_PATH_CHARS) return 'a path in it cannot be checked';
    const path = absolute(value, place);
    if (path === undefined) return `${value} is no path that can be checked`;
    const reason = judgePath(path, { allowedPaths, deniedPaths }, place);
    if (reason) return reason;
    const size = place.local && maxFileBytes !== undefined ? fileSize(path) : 0;
    if (maxFileBytes !== undefined && size > maxFileBytes)
      return `${path} has ${size} bytes; at most ${maxFileBytes} are allowed`;
  }
  return undefined;
}

function namesPath(key: string, value: string): boolean {
  const words = key.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();
  if (PATH_WORDS.test(words)) return true;
  if (words === 'uri') return /^file:/i.test(value);
  return !isContentKey(key) && PATH_LIKE.test(value) && !value.includes('\n');
}

function absolute(written: string, { local, cwd }: PathPlace): string | undefined {
  let path = written;
  if (/^file:/i.test(path)) {
    try {
      path = fileURLToPath(path);
    } catch {
      return undefined;
    }
  }
  if (path === '~' || path.startsWith('~/')) path = join(local ? homedir() : '/~', path.slice(1));
  else if (path.startsWith('~')) return undefined;
  return local ? resolve(cwd, path) : posix.resolve('/', cwd, path.replaceAll('\\', '/'));
}

function judgePath(
  path: string,
  {
    allowedPaths,
    deniedPaths,
  }: { allowedPaths: readonly string[] | undefined; deniedPaths: readonly string[] | undefined },
  place: PathPlace,
): string | undefined {
  const seen = place.local ? [path, followLinks(path)] : [path];
  const rules = (written: readonly string[]) =>
    written.flatMap((rule) => {
      const at = absolute(rule, place);
      return at === undefined ? [] : place.local ? [at, followLinks(at)] : [at];
    });
  if (deniedPaths && seen.some((at) => rules(deniedPaths).some((rule) => inside(at, rule))))
    return `${path} is among denied_paths`;
  if (allowedPaths && !seen.every((at) => rules(allowedPaths).some((rule) => inside(at, rule))))
    return `${path} is outside of allowed_paths`;
  return undefined;
}

function fileSize(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() ? found.size : 0;
}
