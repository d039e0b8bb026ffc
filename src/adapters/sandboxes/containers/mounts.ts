import { relative } from 'node:path';

/** Where every container sees the workspace. */
export const WORKSPACE = '/workspace';

export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (!way.startsWith('..') && !way.startsWith('/'));
}
