import type { Clean } from '../sqlite/clean-writes.ts';
import { type Connection, type FileSchema, openConnection } from '../sqlite/connection.ts';

/**
 * `fence` grows with every claim and `beat` with every heartbeat of the holder. `claims` counts how often the flow
 * changed hands since its last step forward. A journal row is one call of the flow, numbered in the order of calling.
 */
const VERSIONS: readonly string[] = [
  `
  CREATE TABLE flows (
    n INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    flow TEXT NOT NULL,
    version INTEGER NOT NULL,
    input TEXT NOT NULL,
    state TEXT NOT NULL,
    waits_for TEXT,
    wakes_at REAL,
    holder TEXT,
    fence INTEGER NOT NULL DEFAULT 0,
    beat INTEGER NOT NULL DEFAULT 0,
    claims INTEGER NOT NULL DEFAULT 0,
    output TEXT,
    failure TEXT,
    created_at REAL NOT NULL,
    updated_at REAL NOT NULL
  ) STRICT;
  CREATE INDEX flows_by_state ON flows (state, wakes_at);

  CREATE TABLE calls (
    flow TEXT NOT NULL REFERENCES flows (id) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    state TEXT NOT NULL,
    value TEXT,
    due_at REAL,
    begun_at REAL NOT NULL,
    fence INTEGER NOT NULL,
    PRIMARY KEY (flow, seq)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE signals (
    n INTEGER PRIMARY KEY,
    flow TEXT NOT NULL REFERENCES flows (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    key TEXT NOT NULL,
    payload TEXT NOT NULL,
    at REAL NOT NULL,
    taken_by INTEGER,
    UNIQUE (flow, name, key)
  ) STRICT;
  `,
];

/** What a write has confirmed survives a power failure: an intent that is lost would let an effect happen twice. */
const FLOW_SCHEMA: FileSchema = { store: 'flows', versions: VERSIONS, synchronous: 'FULL' };

export const openFlowTables = (path: string, clean?: Clean): Promise<Connection> =>
  openConnection(path, FLOW_SCHEMA, clean);
