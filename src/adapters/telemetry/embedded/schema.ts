/**
 * `series.first`: when the first reading came. `series.since`: from when on its count began at zero, as far as that is
 * known: the reading of its process before that, or the start of the process. Points of counters are always totals: what
 * was sent as differences is added up. `points.value` of a histogram is how many.
 */
export const SCHEMA = `
CREATE TABLE series (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  service TEXT NOT NULL,
  version TEXT NOT NULL,
  instance TEXT NOT NULL,
  name TEXT NOT NULL,
  unit TEXT NOT NULL,
  kind TEXT NOT NULL,
  monotonic INTEGER NOT NULL,
  delta INTEGER NOT NULL,
  attributes TEXT NOT NULL,
  bounds TEXT,
  first INTEGER NOT NULL,
  since INTEGER
);
CREATE INDEX series_by_service ON series (service, name);
CREATE TABLE points (
  series INTEGER NOT NULL,
  time INTEGER NOT NULL,
  start INTEGER NOT NULL,
  value REAL NOT NULL,
  sum REAL,
  buckets TEXT,
  PRIMARY KEY (series, time)
) WITHOUT ROWID;
CREATE TABLE logs (
  id INTEGER PRIMARY KEY,
  time REAL NOT NULL,
  service TEXT NOT NULL,
  pod TEXT,
  severity INTEGER NOT NULL,
  level TEXT,
  message TEXT NOT NULL,
  trace TEXT,
  span TEXT,
  bad INTEGER NOT NULL,
  attributes TEXT
);
CREATE INDEX logs_by_time ON logs (time, service, bad);
CREATE TABLE spans (
  trace TEXT NOT NULL,
  span TEXT NOT NULL,
  parent TEXT,
  service TEXT NOT NULL,
  operation TEXT NOT NULL,
  start REAL NOT NULL,
  duration REAL NOT NULL,
  error INTEGER NOT NULL,
  status TEXT,
  peer TEXT,
  attributes TEXT,
  PRIMARY KEY (trace, span)
) WITHOUT ROWID;
CREATE TABLE traces (
  trace TEXT PRIMARY KEY,
  start REAL NOT NULL,
  error INTEGER NOT NULL,
  services TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX traces_by_start ON traces (start, error, services);
`;
export const SCHEMA_VERSION = 1;
