import { tell, type Text } from '#kit/text';
import type { Severity } from '../severity.ts';
import type { SourceKind } from '../source-file.ts';

export type ReviewArea = 'security' | 'correctness' | 'maintainability' | 'operations' | 'tests';

/** A rule about one line. */
export interface ReviewRule {
  readonly id: string;
  readonly area: ReviewArea;
  readonly severity: Severity;
  /** Without it, every kind. */
  readonly kinds?: readonly SourceKind[];
  readonly pattern: RegExp;
  /** Lines that look like it and are harmless. */
  readonly unless?: RegExp;
  /** `code`: without comments and the insides of strings. `text`: as it is written. */
  readonly on: 'code' | 'text';
  /** Not held against tests. */
  readonly notInTests?: boolean;
  readonly message: Text;
  readonly suggestion: Text;
}

type Words = readonly [en: string, zh: string];
type Rest = Pick<ReviewRule, 'kinds' | 'unless' | 'notInTests'>;

/** A rule in one row of a table. */
export const rule = (
  id: string,
  area: ReviewArea,
  severity: Severity,
  on: ReviewRule['on'],
  pattern: RegExp,
  message: Words,
  suggestion: Words,
  rest: Rest = {},
): ReviewRule => ({
  id,
  area,
  severity,
  on,
  pattern,
  message: tell(...message),
  suggestion: tell(...suggestion),
  ...rest,
});
