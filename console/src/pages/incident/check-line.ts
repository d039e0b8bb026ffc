import type { RecoveryCheck } from '../../domains/incident/records.ts';
import type { Formats } from '../../domains/format/formats.ts';

export interface CheckWords {
  readonly dimension: Readonly<Record<RecoveryCheck['dimension'], string>>;
  readonly ok: string;
  readonly notOk: string;
  readonly unknown: string;
  readonly asWanted: string;
  readonly notAsWanted: string;
  numbers(what: string, during: string, after: string, usual: string): string;
  told(what: string, verdict: string): string;
}

/** What a check found, from its numbers: the sentence in the record knows one language. */
export function checkLine(check: RecoveryCheck, formats: Formats, words: CheckWords): string {
  const { dimension, usual, during, after, unit } = check;
  const name = words.dimension[dimension];
  if (after === undefined) return words.told(name, verdictOf(check, words));
  const shown = (value: number | undefined) => (value === undefined ? '–' : formats.quantity(value, unit));
  return words.numbers(name, shown(during), shown(after), shown(usual));
}

/** What is deployed is not measured: it is as wanted, or not. */
export function verdictOf({ dimension, ok }: RecoveryCheck, words: CheckWords): string {
  if (ok === undefined) return words.unknown;
  if (dimension === 'deploy_state') return ok ? words.asWanted : words.notAsWanted;
  return ok ? words.ok : words.notOk;
}
