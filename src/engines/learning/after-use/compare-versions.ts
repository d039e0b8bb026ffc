import type { SkillUse } from '#spec/data';

export interface Tally {
  readonly uses: number;
  readonly successes: number;
  readonly calls: number;
  readonly tokens: number;
}

/** Uses of a version in sum; calls and tokens are means of those that succeeded. */
export function tally(uses: readonly SkillUse[]): Tally {
  const good = uses.filter(({ success }) => success);
  const mean = (of: (use: SkillUse) => number) =>
    good.length ? good.reduce((sum, use) => sum + of(use), 0) / good.length : 0;
  return {
    uses: uses.length,
    successes: good.length,
    calls: mean(({ calls }) => calls),
    tokens: mean(({ tokens }) => tokens),
  };
}

const SURE = 0.9;
const COSTLIER = 1.5;

/** Why a version does worse than another one; undefined while that is not sure. */
export function worseThan(now: Tally, before: Tally, leastUses: number): string | undefined {
  if (now.uses < leastUses || before.uses < leastUses) return undefined;
  const sure = likelyLower(now, before);
  if (sure >= SURE)
    return `it succeeds in ${now.successes} of ${now.uses} uses, the one before in ${before.successes} of ${before.uses}`;
  const cost = now.successes >= leastUses && before.successes >= leastUses ? now.calls / before.calls : 1;
  return cost >= COSTLIER
    ? `it takes ${now.calls.toFixed(1)} calls, the one before ${before.calls.toFixed(1)}`
    : undefined;
}

/** How likely it is that the first rate lies below the second, both known from a few tries (Beta with a flat prior). */
export function likelyLower(
  a: Pick<Tally, 'uses' | 'successes'>,
  b: Pick<Tally, 'uses' | 'successes'>,
): number {
  const [a1, b1] = [a.successes + 1, a.uses - a.successes + 1];
  const [a2, b2] = [b.successes + 1, b.uses - b.successes + 1];
  let sum = 0;
  for (let i = 0; i < a2; i++)
    sum += Math.exp(logBeta(a1 + i, b1 + b2) - Math.log(b2 + i) - logBeta(1 + i, b2) - logBeta(a1, b1));
  return sum;
}

const logBeta = (a: number, b: number): number =>
  logFactorial(a - 1) + logFactorial(b - 1) - logFactorial(a + b - 1);

function logFactorial(n: number): number {
  let sum = 0;
  for (let i = 2; i <= n; i++) sum += Math.log(i);
  return sum;
}
