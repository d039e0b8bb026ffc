import type { Files } from '#spec/ports';

/** The same files without anything that an implementation adds to the port. */
export const portOnly = (files: Files): Files => ({
  root: files.root,
  stat: (path) => files.stat(path),
  read: (path) => files.read(path),
  write: (path, bytes) => files.write(path, bytes),
  find: (glob, limit, signal) => files.find(glob, limit, signal),
  search: (search, signal) => files.search(search, signal),
});
