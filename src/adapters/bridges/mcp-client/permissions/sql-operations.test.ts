import { describe, expect, it } from 'vitest';
import { cpuMs } from '#testkit/cpu-time';
import { looksLikeSql, readSql } from './sql-operations.ts';

function operations(text: string): string[] {
  const reading = readSql(text);
  return reading.readable ? [...reading.operations].sort() : [reading.reason];
}

describe('readSql', () => {
  it.each([
    ['select 1', ['SELECT']],
    ['  -- drop table x\nSELECT 1', ['SELECT']],
    ['/* DROP TABLE a; */ SELECT 1', ['SELECT']],
    ["SELECT 'drop table a; delete from b'", ['SELECT']],
    ['SELECT "delete" FROM t', ['SELECT']],
    ["SELECT replace(name, 'a', 'b'), truncate(1.5, 0) FROM t", ['SELECT']],
    ['(SELECT 1) UNION (SELECT 2)', ['SELECT']],
    ['WITH a AS (SELECT 1) SELECT * FROM a', ['SELECT']],
    ['EXPLAIN SELECT * FROM t', ['EXPLAIN']],
  ])('sees no more than there is in %s', (text, expected) => {
    expect(operations(text)).toEqual(expected);
  });

  it.each([
    ['SELECT 1; DROP TABLE a', 'DROP'],
    ['SELECT 1;DrOp/**/TABLE a', 'DROP'],
    ['WITH gone AS (DELETE FROM a RETURNING *) SELECT * FROM gone', 'DELETE'],
    ['EXPLAIN ANALYZE DELETE FROM a', 'DELETE'],
    ['SELECT * INTO backup FROM a', 'INSERT'],
    ['SELECT 1 /*! ; DROP TABLE a */', 'DROP'],
    // One server ends the string at the backslash, the other one behind it.
    ["SELECT '\\'; DROP TABLE a; -- '", 'DROP'],
    ["SELECT '\\\\'; DROP TABLE a; -- '", 'DROP'],
    // A comment for one, an operator for the other.
    ['SELECT 1 # \n ; DELETE FROM a', 'DELETE'],
    ['SELECT 1 # ; DELETE FROM a', 'DELETE'],
    // Nested for one, closed for the other.
    ['/* /* */ DROP TABLE a; -- */', 'DROP'],
    ["SELECT $$ ' $$; DROP TABLE a; -- '", 'DROP'],
    ['SELECT 1;\u00a0TRUNCATE a', 'TRUNCATE'],
    ['DO $$ BEGIN END $$', 'DO'],
    ["COPY a TO PROGRAM 'sh'", 'COPY'],
  ])('finds what hides in %s', (text, verb) => {
    expect(operations(text)).toContain(verb);
  });

  it('names functions that reach beyond the query', () => {
    const reading = readSql("SELECT pg_read_file('/etc/passwd')");
    expect(reading.readable && [...reading.risky]).toEqual(['PG_READ_FILE']);
  });

  it.each([
    ['SELECT * FROM t', true],
    ['SELECT * FROM t LIMIT 5', false],
    ['SELECT 1; SELECT 2', false],
    ['INSERT INTO t VALUES (1)', false],
    ['SELECT * FROM t FOR SHARE', false],
  ])('tells whether %s can be limited', (text, limitable) => {
    const reading = readSql(text);
    expect(reading.readable && reading.limitable).toBe(limitable);
  });

  it.each(["SELECT 'open", '', '/* only a comment */', 'SELECT \0 1'])('cannot read %j', (text) => {
    expect(readSql(text).readable).toBe(false);
  });

  it('stays fast on hostile input', () => {
    const started = cpuMs();
    readSql('/*'.repeat(20_000));
    readSql("'".repeat(50_001));
    expect(cpuMs() - started).toBeLessThan(2_000);
  });
});

describe('looksLikeSql', () => {
  it.each(['select * from a', ' -- x\nDROP TABLE a', 'with a as (select 1) select 1'])('knows %s', (text) => {
    expect(looksLikeSql(text)).toBe(true);
  });
  it.each(['hello', 'selected items', 'update', 'created by me'])('leaves %s alone', (text) => {
    expect(looksLikeSql(text)).toBe(false);
  });
});
