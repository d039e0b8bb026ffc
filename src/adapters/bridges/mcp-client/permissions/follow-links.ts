import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';

const MOST_LINKS = 20;
/** For a loop, or a folder that cannot be entered: nobody knows where it leads, so it is nowhere that is allowed. */
const NOWHERE = '/\0unknown';

/** Where a path really leads, as far as it exists; a link to something that does not exist yet leads there. */
export function followLinks(path: string, links = 0): string {
  const rest: string[] = [];
  if (links > MOST_LINKS) return NOWHERE;
  for (let at = path; ; at = dirname(at)) {
    try {
      return join(realpathSync(at), ...rest);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT' && code !== 'ENOTDIR') return NOWHERE;
      if (code === 'ENOENT' && lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink())
        return followLinks(join(resolve(dirname(at), readlinkSync(at)), ...rest), links + 1);
      if (dirname(at) === at) return path;
      rest.unshift(basename(at));
    }
  }
}

/** Whether file systems of this machine take capitals for small letters. */
export const IGNORES_CASE = process.platform === 'win32' || process.platform === 'darwin';

const sameCase = (path: string): string => (IGNORES_CASE ? path.toLowerCase() : path);

export function inside(path: string, folder: string): boolean {
  const [inner, outer] = [sameCase(path), sameCase(folder)];
  return (
    inner === outer ||
    inner.startsWith(outer.endsWith(sep) || outer.endsWith('/') ? outer : `${outer}/`) ||
    inner.startsWith(`${outer}${sep}`)
  );
}
