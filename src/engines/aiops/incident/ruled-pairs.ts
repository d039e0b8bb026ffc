import type { GroupingRule } from '#spec/ports';

/** What a rule says of two services, whichever is named first. */
export type RuledPairs = (one: string, other: string) => GroupingRule | undefined;

const pairOf = (one: string, other: string): string => [one, other].toSorted().join('\n');

/** Of two rules about the same pair, the younger one holds. */
export function ruledPairs(rules: readonly GroupingRule[]): RuledPairs {
  const known = new Map(rules.map((rule) => [pairOf(...rule.services), rule]));
  return known.size === 0 ? () => undefined : (one, other) => known.get(pairOf(one, other));
}
