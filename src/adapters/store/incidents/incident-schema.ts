import type { FileSchema } from '../sqlite/connection.ts';

/**
 * `incidents.body` is the whole record; the columns beside it are what it is looked up by. An alert stands once in each
 * incident that it was part of; incident 0 holds those that opened none. `facts` is only appended to: `n` is the common
 * order, `seq` the order within one incident.
 */
const VERSIONS: readonly string[] = [
  `
  CREATE TABLE incidents (
    n INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    ended INTEGER NOT NULL,
    state TEXT NOT NULL,
    service TEXT,
    title TEXT NOT NULL,
    created_at REAL NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX incidents_open ON incidents (n) WHERE ended = 0;

  CREATE TABLE alerts (
    n INTEGER PRIMARY KEY,
    incident INTEGER NOT NULL,
    fingerprint TEXT NOT NULL,
    status TEXT NOT NULL,
    starts_at TEXT NOT NULL,
    deliveries INTEGER NOT NULL,
    at REAL NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (fingerprint, incident)
  ) STRICT;
  CREATE INDEX alerts_by_incident ON alerts (incident, status);

  CREATE TABLE facts (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    incident INTEGER NOT NULL REFERENCES incidents (n),
    seq INTEGER NOT NULL,
    id TEXT NOT NULL,
    at REAL NOT NULL,
    type TEXT NOT NULL,
    data TEXT NOT NULL,
    UNIQUE (incident, seq)
  ) STRICT;

  CREATE TABLE written (
    incident INTEGER NOT NULL REFERENCES incidents (n),
    key TEXT NOT NULL,
    PRIMARY KEY (incident, key)
  ) STRICT, WITHOUT ROWID;
  `,
  // Lists are read by time, and so is what happened within a day.
  `
  CREATE INDEX incidents_by_time ON incidents (created_at, n);
  CREATE INDEX facts_by_time ON facts (at, incident);
  `,
  // What people wrote in channels, whether or not it tells of an incident.
  `
  CREATE TABLE inbox (
    n INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    state TEXT NOT NULL,
    at REAL NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX inbox_by_time ON inbox (at, n);
  `,
  // Why an alert belongs to its incident, what it has in common with others, and what grouping must know of an incident.
  `
  ALTER TABLE alerts ADD COLUMN why TEXT;
  ALTER TABLE alerts ADD COLUMN kind TEXT NOT NULL DEFAULT '';
  CREATE INDEX alerts_by_kind ON alerts (incident, kind);
  ALTER TABLE incidents ADD COLUMN standing TEXT;
  CREATE TABLE grouping_rules (
    n INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    body TEXT NOT NULL
  ) STRICT;
  `,
];

export const INCIDENT_SCHEMA: FileSchema = { store: 'incidents', versions: VERSIONS, synchronous: 'FULL' };
