import type { EffectiveChange } from '../changes/effective-change.ts';
import type { ChangeCase } from './case-features.ts';

/** All that one release brought is undone together: how likely any of it is the cause, and whether it is tied to it. */
export interface WeighedRelease {
  /** The changes that it brought, by their number in the case. */
  readonly changes: readonly number[];
  readonly share: number;
  readonly tied: boolean;
}

/** The release of the change with this number; none below 0. */
export function releaseOf(
  number: number,
  changes: readonly ChangeCase[],
  shares: readonly number[],
): WeighedRelease {
  if (number < 0) return { changes: [], share: 0, tied: false };
  const release = idOf(changes[number]?.suspect.effective);
  const together = changes.flatMap(({ suspect }, at) => (idOf(suspect.effective) === release ? [at] : []));
  return {
    changes: together,
    share: together.reduce((sum, at) => sum + (shares[at] as number), 0),
    tied: together.some((at) => changes[at]?.suspect.exact !== undefined),
  };
}

const idOf = (effective: EffectiveChange | undefined): string | undefined =>
  effective?.deploy?.id ?? effective?.change.id;
