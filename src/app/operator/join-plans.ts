import type { OperatorPlan, OperatorResult } from '#spec/ports';

const plainly = (results: readonly OperatorResult[]): string => results.map(({ text }) => text).join('\n');

/** Several answers as one, each whole and in its place: all of what they call is called. */
export function inOrder(plans: readonly OperatorPlan[], between = ''): OperatorPlan {
  const [only] = plans;
  if (only && plans.length === 1) return only;
  const calls = plans.flatMap((plan) => plan.calls ?? []);
  const told = (results: readonly OperatorResult[]): string => {
    let at = 0;
    return plans
      .map(({ before, calls: own = [], show = plainly, after }) => {
        const got = results.slice(at, (at += own.length));
        return [before, own.length ? show(got) : '', after].filter(Boolean).join('\n\n');
      })
      .filter(Boolean)
      .join(between ? `\n\n${between}\n\n` : '\n\n');
  };
  return calls.length ? { calls, show: told } : { before: told([]) };
}
