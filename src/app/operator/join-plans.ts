import type { OperatorPlan } from '#spec/ports';

/** Two answers as one: both of what they call is called, and each shows what it got. */
export function both(plan: OperatorPlan, other: OperatorPlan, between: string): OperatorPlan {
  if (!other.calls)
    return { ...plan, after: [plan.after, between, other.before].filter(Boolean).join('\n\n') };
  const { calls: own = [], show } = plan;
  if (own.length > 0 && show && other.show) {
    const { calls, show: showOther } = other;
    return {
      ...plan,
      calls: [...own, ...calls],
      show: (results) =>
        [show(results.slice(0, own.length)), between, showOther(results.slice(own.length))]
          .filter(Boolean)
          .join('\n\n'),
    };
  }
  if (own.length > 0) return plan;
  return { ...other, before: [plan.before, plan.after, between, other.before].filter(Boolean).join('\n\n') };
}
