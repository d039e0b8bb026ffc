import type { FileSchema } from './connection.ts';
import { CREATE_SEARCH } from './search-tables.ts';

/**
 * Every page that an append touches is written once more, so it touches few: a message, its two indexes, its session
 * and its facts. The key of a message is also the key of its entry in the full-text index; since keys grow in the order
 * of writing, one number (`index_state.through`) tells which messages wait for the indexer.
 */
const VERSIONS: readonly string[] = [
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

export const SESSION_SCHEMA: FileSchema = {
  store: 'sessions',
  versions: VERSIONS,
  synchronous: 'NORMAL',
  pragmas: ['cache_size = -16000', 'wal_autocheckpoint = 16000'],
};
