import type { FileSchema } from '../sqlite/connection.ts';

/** What is asked for stands in columns; the record itself is in `body`. */
const VERSIONS: readonly string[] = [
  `
  CREATE TABLE experiences (
    n INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    scope TEXT NOT NULL,
    skill TEXT,
    at REAL NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX experiences_by_time ON experiences (at);
  CREATE INDEX experiences_by_skill ON experiences (skill, at) WHERE skill IS NOT NULL;

  CREATE TABLE uses (
    n INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    skill TEXT NOT NULL,
    version TEXT NOT NULL,
    at REAL NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX uses_by_skill ON uses (skill, at);
  CREATE INDEX uses_by_time ON uses (at);

  CREATE TABLE versions (
    n INTEGER PRIMARY KEY,
    skill TEXT NOT NULL,
    version TEXT NOT NULL,
    state TEXT NOT NULL,
    at REAL NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (skill, version)
  ) STRICT;
  CREATE UNIQUE INDEX versions_active ON versions (skill) WHERE state = 'active';

  CREATE TABLE edits (
    n INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    skill TEXT NOT NULL,
    undone INTEGER NOT NULL,
    at REAL NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX edits_by_skill ON edits (skill, at);

  CREATE TABLE marks (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  `,
];

/** An edit must be on disk before the files that it is about: it is how they are put back. */
export const LEARNING_SCHEMA: FileSchema = { store: 'learning', versions: VERSIONS, synchronous: 'FULL' };
