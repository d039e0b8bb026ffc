import type { Files, ToolContext } from '#spec/ports';

/** What a file tool is given: real files, and nothing that a file tool has no business with. */
export function fileToolContext(files: Files, signal = new AbortController().signal): ToolContext {
  const unused = () => Promise.reject(new Error('a file tool does not look at past conversations'));
  return {
    call: 'call_1',
    session: 'session_1',
    audience: { source: 'test', user: 'u', chat: 'c' },
    signal,
    files,
    recall: { search: unused, recent: unused },
    todos: { read: () => [], write: () => undefined },
    update: () => undefined,
  };
}

/** The same files without anything that an implementation adds to the port. */
export const portOnly = (files: Files): Files => ({
  root: files.root,
  stat: (path) => files.stat(path),
  read: (path) => files.read(path),
  write: (path, bytes) => files.write(path, bytes),
  find: (glob, limit, signal) => files.find(glob, limit, signal),
  search: (search, signal) => files.search(search, signal),
});
