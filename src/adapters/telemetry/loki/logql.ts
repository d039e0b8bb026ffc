import { literal, quoted } from '../wire/query-text.ts';

/** Words of lines that complain, and the names of levels that do. */
const BAD =
  '(?i)(error|exception|fail|fatal|panic|critical|warn|timeout|timed out|refused|denied|unavailable|crash|killed|oom|exhausted|exceeded|expired|cannot|could not|unable|reset by peer|traceback|deadlock|throttl|reject|abort|\\b50[0-9]\\b|\\b429\\b)';

export type Matchers = Readonly<
  Record<string, { readonly is: string } | { readonly oneOf: readonly string[] }>
>;

export function streams(matchers: Matchers): string {
  const all = Object.entries(matchers).map(([label, matcher]) =>
    'is' in matcher
      ? `${label}=${quoted(matcher.is)}`
      : matcher.oneOf.length === 0
        ? `${label}=~".+"`
        : `${label}=~${quoted(matcher.oneOf.map(literal).join('|'))}`,
  );
  return `{${all.join(', ')}}`;
}

/** Lines that hold a text, whatever the case of its letters. */
export const holding = (text: string): string => ` |~ ${quoted(`(?i)${literal(text)}`)}`;
export const soundingBad = ` |~ ${quoted(BAD)}`;
export const soundingFine = ` !~ ${quoted(BAD)}`;
