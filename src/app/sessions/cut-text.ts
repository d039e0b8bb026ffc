import { isRecord } from '#kit/is-record';
import { type KnownSecrets, redact } from '#kit/redact';

/** No secret is longer than this, so none that the cut goes through is left in part. */
const MARGIN = 4_000;

export interface CutText {
  readonly text: string;
  /** How many characters were left out behind it. */
  readonly more?: number;
}

/** The beginning of a text without credentials. What is cut off is not looked at: a session may hold megabytes. */
export function cutText(text: string, most: number, secrets: KnownSecrets): CutText {
  if (text.length <= most) return { text: redact(text, secrets) };
  const wider = text.slice(0, most + MARGIN);
  const clean = redact(wider, secrets);
  const whole = wider.length === text.length;
  if (whole && clean.length <= most) return { text: clean };
  const end = whole ? most : Math.max(0, Math.min(most, clean.length - MARGIN));
  return { text: clean.slice(0, end).toWellFormed(), more: text.length - most };
}

/** The same value with every long string in it cut and every credential taken out. */
export function cutStrings<T>(value: T, most: number, secrets: KnownSecrets): T {
  const cut = (given: unknown): unknown => {
    if (typeof given === 'string') {
      const { text, more } = cutText(given, most, secrets);
      return more === undefined ? text : `${text}… (+${more})`;
    }
    if (Array.isArray(given)) return given.map(cut);
    if (!isRecord(given)) return given;
    return Object.fromEntries(Object.entries(given).map(([key, each]) => [key, cut(each)]));
  };
  return cut(value) as T;
}
