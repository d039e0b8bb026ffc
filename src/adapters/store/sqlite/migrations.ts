import { fail } from '#kit/app-error';
import type { Connection } from './connection.ts';
import { CREATE_SEARCH } from './search-tables.ts';

/**
 * Each brings the schema one version further; the place in the list is the version. What has been released is
 * never edited: a change is a new entry.
 *
 * Every page that an append touches is written once more, so it touches few: a message, its two indexes, its session
 * and its facts. The key of a message is also the key of its entry in the full-text index; since keys grow in the order
 * of writing, one number (`index_state.through`) tells which messages wait for the indexer.
 */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE prefixes (hash TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT, WITHOUT ROWID;

  CREATE TABLE sessions (
    n INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    source TEXT NOT NULL,
    user TEXT NOT NULL,
    chat TEXT NOT NULL,
    title TEXT,
    parent_id TEXT,
    parent_seq INTEGER,
    model TEXT,
    cwd TEXT,
    created_at REAL NOT NULL,
    updated_at REAL NOT NULL,
    messages INTEGER NOT NULL DEFAULT 0,
    last_seq INTEGER NOT NULL DEFAULT 0,
    input INTEGER NOT NULL,
    output INTEGER NOT NULL,
    cache_read INTEGER NOT NULL,
    cache_write INTEGER NOT NULL,
    reasoning INTEGER NOT NULL,
    cost REAL NOT NULL,
    prefix TEXT NOT NULL REFERENCES prefixes (hash)
  ) STRICT;
  CREATE INDEX sessions_by_audience ON sessions (source, user, chat);
  CREATE INDEX sessions_by_prefix ON sessions (prefix);

  CREATE TABLE messages (
    n INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    session INTEGER NOT NULL REFERENCES sessions (n) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    position REAL NOT NULL,
    turn INTEGER NOT NULL,
    at REAL NOT NULL,
    role TEXT NOT NULL,
    state TEXT NOT NULL,
    kind TEXT NOT NULL,
    cost REAL,
    usage TEXT,
    meta TEXT,
    content TEXT NOT NULL
  ) STRICT;
  CREATE INDEX messages_by_position ON messages (session, position, state);

  CREATE TABLE blobs (hash TEXT PRIMARY KEY, data BLOB NOT NULL) STRICT;
  CREATE TABLE blob_uses (
    message INTEGER NOT NULL REFERENCES messages (n) ON DELETE CASCADE,
    hash TEXT NOT NULL REFERENCES blobs (hash),
    PRIMARY KEY (message, hash)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX blob_uses_by_hash ON blob_uses (hash);

  CREATE TABLE facts (
    stream TEXT NOT NULL,
    seq INTEGER NOT NULL,
    type TEXT NOT NULL,
    at REAL NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (stream, seq)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE drafts (session TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT, WITHOUT ROWID;

  CREATE TABLE index_state (entries INTEGER NOT NULL, through INTEGER NOT NULL) STRICT;
  INSERT INTO index_state VALUES (0, 0);
  ${CREATE_SEARCH}
  `,
];

/** The version of an open file. Throws when it is newer than what this program knows. */
export function schemaVersion(connection: Connection, path: string): number {
  const version = connection.pragma('user_version', { simple: true }) as number;
  if (version > MIGRATIONS.length) {
    const known = `it has version ${version}, and this program knows versions up to ${MIGRATIONS.length}`;
    throw fail('store.newer', `${path} was written by a newer Hermes: ${known}`);
  }
  return version;
}

/** Brings the schema up to date, one transaction a version. Another process may be doing the same. */
export function migrate(connection: Connection, path: string): void {
  while (schemaVersion(connection, path) < MIGRATIONS.length) {
    connection
      .transaction(() => {
        const version = schemaVersion(connection, path);
        const next = MIGRATIONS[version];
        if (next === undefined) return;
        connection.exec(next);
        connection.pragma(`user_version = ${version + 1}`);
      })
      .immediate();
  }
}
