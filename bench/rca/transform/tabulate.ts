import type { Answer } from '../answer.ts';
import type { Leaves, Transform } from './transform.ts';
import type { TransformedAnswer } from './run-transforms.ts';

type Side = TransformedAnswer['before'];

/** What one side of a comparison came to. */
interface Tally {
  readonly culprits: number;
  readonly right: number;
  readonly quiet: number;
  readonly blamed: number;
  /** Changes that would be undone and did nothing. */
  readonly undone: number;
  readonly accuracy: number;
}

export interface TransformRow {
  readonly suite: string;
  readonly transform: string;
  readonly leaves: Leaves;
  readonly cases: number;
  readonly before: Tally;
  readonly after: Tally;
  readonly changed: number;
  readonly otherFirst: number;
}

const NONE = 'none';
const first = ({ ranked }: Answer): string => ranked[0] ?? NONE;

function tally(sides: readonly Side[]): Tally {
  const culprits = sides.filter(({ cause }) => cause !== NONE);
  const right = culprits.filter(({ answer, cause }) => first(answer) === cause).length;
  const blamed = sides.filter(({ answer, cause }) => cause === NONE && first(answer) !== NONE).length;
  const quiet = sides.length - culprits.length;
  const undone = sides.filter(
    ({ answer, cause }) => answer.rollback !== undefined && answer.rollback !== cause,
  ).length;
  const accuracy = (right + quiet - blamed) / Math.max(1, sides.length);
  return { culprits: culprits.length, right, quiet, blamed, undone, accuracy };
}

/** A row for each suite and transformation that had a case to transform. */
export function transformRows(
  answers: readonly TransformedAnswer[],
  transforms: ReadonlyMap<string, Transform>,
): TransformRow[] {
  const groups = Map.groupBy(answers, ({ suite, transform }) => `${transform}\n${suite}`);
  return [...transforms].flatMap(([transform, { leaves }]) =>
    [...groups]
      .filter(([key]) => key.startsWith(`${transform}\n`))
      .map(([key, group]) => ({
        suite: key.slice(transform.length + 1),
        transform,
        leaves,
        cases: group.length,
        before: tally(group.map(({ before }) => before)),
        after: tally(group.map(({ after }) => after)),
        changed: group.filter(({ changed }) => changed).length,
        otherFirst: group.filter(({ otherFirst }) => otherFirst).length,
      })),
  );
}

const HEAD =
  '| transformation | suite | leaves | AC@1 | after | diff | blamed | after | diff | undone | after | answer changed | first changed |';

/** The rows as a table that documents can take over. */
export const transformTable = (rows: readonly TransformRow[]): string[] => [
  HEAD,
  HEAD.replace(/[^|]+/g, '---'),
  ...rows.map(({ suite, transform, leaves, cases, before, after, changed, otherFirst }) =>
    [
      '',
      transform,
      suite,
      leaves,
      ...compared([before.right, before.culprits], [after.right, after.culprits]),
      ...compared([before.blamed, before.quiet], [after.blamed, after.quiet]),
      before.undone,
      after.undone,
      `${changed}/${cases}${leaves === 'answer' && changed ? ' ✗' : ''}`,
      `${otherFirst}/${cases}`,
      '',
    ]
      .join(' | ')
      .trim(),
  ),
];

type Ratio = readonly [number, number];

function compared(before: Ratio, after: Ratio): [string, string, string] {
  const show = ([part, whole]: Ratio): string => (whole ? `${part}/${whole}` : '–');
  const change = after[0] / after[1] - before[0] / before[1];
  const sign = change > 0 ? '+' : change < 0 ? '−' : '';
  const size = Math.abs(change).toFixed(2).replace('0.', '.');
  return [show(before), show(after), Number.isNaN(change) ? '–' : change ? `${sign}${size}` : '0'];
}

const REMOVED = 'culprit-removed';
const round = (value: number): number => Math.round(value * 1000) / 1000;

/**
 * The loss of a transformation is the largest over the suites, in shares of right answers. The worst is that of those that
 * leave what tells the cause. False blame is over all quiet cases of a transformation; where the culprit was taken out it
 * has figures of its own.
 */
export function transformFigures(rows: readonly TransformRow[]): Record<string, number> {
  const removed = rows.filter(({ transform }) => transform === REMOVED);
  const others = rows.filter(({ transform }) => transform !== REMOVED);
  const byName = [...Map.groupBy(others, ({ transform }) => transform)];
  const lossOf = ({ before, after }: TransformRow): number => before.accuracy - after.accuracy;
  const sum = (all: readonly TransformRow[], count: (row: TransformRow) => number): number =>
    all.reduce((total, row) => total + count(row), 0);
  const blame = (all: readonly TransformRow[]): number =>
    sum(all, ({ after }) => after.blamed) /
    Math.max(
      1,
      sum(all, ({ after }) => after.quiet),
    );
  const invariant = others.filter(({ leaves }) => leaves === 'answer');
  return {
    ...Object.fromEntries(
      byName.map(([name, all]) => [`transform.${name}.loss`, round(Math.max(...all.map(lossOf)))]),
    ),
    ...(others.length
      ? {
          'transform.worst_loss': round(
            Math.max(0, ...others.filter(({ leaves }) => leaves !== 'part').map(lossOf)),
          ),
          'transform.false_blame_max': round(Math.max(...byName.map(([, all]) => blame(all)))),
          'transform.undone_max': Math.max(...byName.map(([, all]) => sum(all, ({ after }) => after.undone))),
          'transform.changed': sum(invariant, ({ changed }) => changed),
        }
      : {}),
    ...(removed.length
      ? {
          'removed.cases': sum(removed, ({ cases }) => cases),
          'removed.blamed': sum(removed, ({ after }) => after.blamed),
          'removed.undone': sum(removed, ({ after }) => after.undone),
        }
      : {}),
  };
}
