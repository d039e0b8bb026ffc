import { quoted } from '../wire/query-text.ts';

/** `family{a="1",b="2"}`; empty matchers are left out. */
export function selector(family: string, ...matchers: readonly (string | undefined)[]): string {
  const all = matchers.filter(Boolean).join(',');
  return all ? `${family}{${all}}` : family;
}

/** One way to read a name out of a label. */
export interface NameRule {
  readonly label: string;
  /** Matches the whole value. */
  readonly pattern: string;
  readonly replacement: string;
}

/** Writes a new label; of the rules that match, the last one counts. */
export const relabelled = (expression: string, target: string, rules: readonly NameRule[]): string =>
  rules.reduce(
    (inner, { label, pattern, replacement }) =>
      `label_replace(${inner}, ${quoted(target)}, ${quoted(replacement)}, ${quoted(label)}, ${quoted(pattern)})`,
    expression,
  );
