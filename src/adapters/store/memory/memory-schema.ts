import type { FileSchema } from '../sqlite/connection.ts';
import { CREATE_SEARCH } from '../sqlite/search-tables.ts';

/**
 * `entries.line` is the key of the first version of an entry. Counts of accesses stand apart, so that counting one
 * rewrites no text. `terms_due` and `vectors_due` hold the active entries that wait for the indexer.
 *
 * A vector lies in `vectors`, one byte a dimension, beside those of its space and scope. The newest stand in `loose` and
 * are all compared; whenever there are enough of them they are packed into one row of `blocks`: their keys, and one bit a
 * dimension. So the index grows by a row and is never built anew.
 *
 * Entries are written seldom and recalled often: the full-text index merges its parts early.
 */
const VERSIONS: readonly string[] = [
  `
  CREATE TABLE scopes (
    n INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    active INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  CREATE TABLE entries (
    n INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    line INTEGER NOT NULL,
    scope INTEGER NOT NULL REFERENCES scopes (n),
    kind TEXT NOT NULL,
    key TEXT,
    text TEXT NOT NULL,
    context TEXT,
    provenance TEXT NOT NULL,
    trust REAL NOT NULL,
    at REAL NOT NULL,
    created_at REAL NOT NULL,
    updated_at REAL NOT NULL,
    expires_at REAL,
    version INTEGER NOT NULL,
    replaces TEXT,
    state TEXT NOT NULL,
    print BLOB NOT NULL
  ) STRICT;
  CREATE INDEX entries_by_time ON entries (created_at);
  CREATE INDEX entries_by_scope ON entries (scope, state);
  CREATE INDEX entries_by_line ON entries (line) WHERE line <> n;
  CREATE UNIQUE INDEX entries_by_key ON entries (scope, key) WHERE state = 'active' AND key IS NOT NULL;
  CREATE INDEX entries_by_print ON entries (print) WHERE state = 'active';
  CREATE INDEX entries_by_expiry ON entries (expires_at) WHERE state = 'active' AND expires_at IS NOT NULL;

  CREATE TABLE uses (
    n INTEGER PRIMARY KEY REFERENCES entries (n) ON DELETE CASCADE,
    accesses INTEGER NOT NULL,
    at REAL NOT NULL
  ) STRICT;

  CREATE TABLE terms_due (n INTEGER PRIMARY KEY REFERENCES entries (n) ON DELETE CASCADE) STRICT;
  CREATE TABLE vectors_due (n INTEGER PRIMARY KEY REFERENCES entries (n) ON DELETE CASCADE) STRICT;

  CREATE TABLE spaces (n INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, dimensions INTEGER NOT NULL) STRICT;
  CREATE TABLE vectors (
    space INTEGER NOT NULL,
    scope INTEGER NOT NULL,
    n INTEGER NOT NULL,
    exact BLOB NOT NULL,
    PRIMARY KEY (space, scope, n)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE loose (
    space INTEGER NOT NULL,
    scope INTEGER NOT NULL,
    n INTEGER NOT NULL,
    PRIMARY KEY (space, scope, n)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE blocks (
    block INTEGER PRIMARY KEY,
    space INTEGER NOT NULL,
    scope INTEGER NOT NULL,
    low INTEGER NOT NULL,
    high INTEGER NOT NULL,
    keys BLOB NOT NULL,
    codes BLOB NOT NULL
  ) STRICT;
  CREATE INDEX blocks_by_set ON blocks (space, scope, low);

  CREATE TABLE staged (
    n INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    scope TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;

  CREATE TABLE index_state (entries INTEGER NOT NULL, erasing INTEGER NOT NULL) STRICT;
  INSERT INTO index_state VALUES (0, 0);
  ${CREATE_SEARCH}
  INSERT INTO search (search, rank) VALUES ('automerge', 4);
  `,
];

/** `secure_delete`: what is removed is overwritten. */
export const MEMORY_SCHEMA: FileSchema = {
  store: 'memory',
  versions: VERSIONS,
  synchronous: 'NORMAL',
  pragmas: ['secure_delete = ON', 'cache_size = -16000', 'wal_autocheckpoint = 8000'],
};
