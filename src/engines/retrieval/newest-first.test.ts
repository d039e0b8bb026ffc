import { describe, expect, it } from 'vitest';
import type { Ranked } from './candidate.ts';
import { newestFirst } from './newest-first.ts';

function hit(id: string, score: number, at: number, matched = 'pool size', coverage = 1): Ranked {
  return { id, group: id, at, text: '', score, matched, coverage };
}

const order = (...hits: Ranked[]) => newestFirst(hits, { share: 0.05, fullShare: 0.4 }).map(({ id }) => id);

describe('newestFirst', () => {
  it('puts the newest of those first that say the same', () => {
    expect(order(hit('old', 10, 1), hit('new', 9, 3), hit('middle', 8, 2))).toEqual(['new', 'middle', 'old']);
  });

  it('changes only the places of those that match the same terms', () => {
    expect(order(hit('old', 10, 1), hit('other', 9.5, 9, 'size'), hit('new', 9, 3))).toEqual([
      'new',
      'other',
      'old',
    ]);
  });

  it('lets time outweigh nothing that is clearly better', () => {
    expect(order(hit('old', 10, 1), hit('new', 5, 9))).toEqual(['old', 'new']);
  });

  it('asks for nearly equal scores where a part of the query was matched', () => {
    expect(order(hit('old', 10, 1, 'pool', 0.5), hit('new', 9, 9, 'pool', 0.5))).toEqual(['old', 'new']);
    expect(order(hit('old', 10, 1, 'pool', 0.5), hit('new', 9.7, 9, 'pool', 0.5))).toEqual(['new', 'old']);
  });

  it('gives each the score of the place that it takes', () => {
    const ordered = newestFirst([hit('old', 10, 1), hit('new', 9, 3)], { share: 0.05, fullShare: 0.4 });
    expect(ordered.map(({ id, score }) => [id, score])).toEqual([
      ['new', 10],
      ['old', 9],
    ]);
  });

  it('leaves alone what matched through its neighbours only', () => {
    expect(order(hit('a', 10, 1, '', 0), hit('b', 10, 9, '', 0))).toEqual(['a', 'b']);
  });
});
