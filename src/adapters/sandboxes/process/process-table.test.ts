import { describe, expect, it } from 'vitest';
import { descendants, parseStat, type ProcessEntry, residentMb } from './process-table.ts';

const entry = (pid: number, parent: number, dead = false): ProcessEntry => ({
  pid,
  parent,
  dead,
  stopped: false,
  group: pid,
  session: pid,
  startedAt: '1',
  residentPages: 256,
});

describe('parseStat', () => {
  it('reads on behind a name that holds brackets and spaces', () => {
    const rest = 'S 1 42 43 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 777 1000 55 18446744073709551615';
    expect(parseStat(`42 (a) R (b c) ${rest}`)).toEqual({
      pid: 42,
      parent: 1,
      group: 42,
      session: 43,
      dead: false,
      stopped: false,
      startedAt: '777',
      residentPages: 55,
    });
    expect(parseStat(`42 (x) ${rest.replace('S', 'Z')}`)?.dead).toBe(true);
    expect(parseStat('')).toBeUndefined();
  });
});

describe('descendants', () => {
  it('finds all that live below a process, however the table is sorted', () => {
    const table = [entry(9, 5), entry(5, 2), entry(2, 1), entry(3, 1), entry(7, 2, true), entry(8, 7)];
    expect(descendants(table, 2).map(({ pid }) => pid)).toEqual([2, 5, 9, 8]);
    expect(descendants(table, 99)).toEqual([]);
    expect(residentMb(descendants(table, 2))).toBe(4);
  });
});
