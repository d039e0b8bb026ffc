import { expect, it } from 'vitest';
import type { TransformedAnswer } from './run-transforms.ts';
import { transformFigures, transformRows, transformTable } from './tabulate.ts';
import { TRANSFORMS } from './transforms.ts';

const says = (named: string | undefined, cause: string, rollback?: string): TransformedAnswer['before'] => ({
  answer: { ranked: named === undefined ? [] : [named], rollback, confidence: 0.5 },
  cause,
});
const answer = (
  transform: string,
  before: TransformedAnswer['before'],
  after: TransformedAnswer['before'],
): TransformedAnswer => {
  const changed = before.answer.ranked[0] !== after.answer.ranked[0];
  return { suite: 'shop', transform, before, after, changed, otherFirst: changed };
};

it('counts losses, blame, what would be undone and answers that are not the same', () => {
  const rows = transformRows(
    [
      answer('count-to-rate', says('a', 'a'), says('b', 'a')),
      answer('count-to-rate', says('a', 'a'), says('a', 'a')),
      answer('count-to-rate', says(undefined, 'none'), says('b', 'none', 'b')),
      answer('without-topology', says('a', 'a'), says('b', 'a')),
      answer('culprit-removed', says('x', 'x', 'x'), says('y', 'none', 'y')),
      answer('culprit-removed', says('x', 'x'), says('none', 'none')),
    ],
    TRANSFORMS,
  );
  expect(transformTable(rows)).toContain(
    '| count-to-rate | shop | answer | 2/2 | 1/2 | −.50 | 0/1 | 1/1 | +1.00 | 0 | 1 | 2/3 ✗ | 2/3 |',
  );
  expect(transformFigures(rows)).toEqual({
    'transform.count-to-rate.loss': 0.667,
    'transform.without-topology.loss': 1,
    'transform.worst_loss': 0.667,
    'transform.false_blame_max': 1,
    'transform.undone_max': 1,
    'transform.changed': 2,
    'removed.cases': 2,
    'removed.blamed': 1,
    'removed.undone': 1,
  });
});
