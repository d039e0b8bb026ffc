import { findCredential } from '#kit/find-credential';
import { isRecord } from '#kit/is-record';
import { looksSecret } from '#kit/looks-secret';
import { redact } from '#kit/redact';

const LONGEST = 400;
const MOST_ITEMS = 40;
const DEEPEST = 4;

/** Arguments as they may be kept: no secrets, no long texts, nothing without an end. */
export function cleanInput(input: unknown, secrets: readonly string[], depth = 0): unknown {
  if (typeof input === 'string') {
    return input.length > LONGEST ? `[${input.length} characters]` : cleanText(input, secrets);
  }
  if (depth >= DEEPEST) return isRecord(input) || Array.isArray(input) ? '[…]' : input;
  if (Array.isArray(input))
    return input.slice(0, MOST_ITEMS).map((item) => cleanInput(item, secrets, depth + 1));
  if (!isRecord(input)) return input;
  const entries = Object.entries(input).slice(0, MOST_ITEMS);
  return Object.fromEntries(
    entries.map(([key, value]) => [
      key,
      looksSecret(key) && typeof value === 'string' ? '[redacted]' : cleanInput(value, secrets, depth + 1),
    ]),
  );
}

/** A text with a credential in it that cannot be cut out is not kept at all. */
export function cleanText(text: string, secrets: readonly string[]): string {
  const clean = redact(text, secrets);
  return findCredential(clean.replaceAll('[redacted]', '')) === undefined ? clean : '[redacted]';
}

const LONGEST_LINE = 160;

/** What a call gave, as one line without secrets. */
export function cleanLine(text: string, secrets: readonly string[]): string {
  const line = text.split('\n').find((part) => part.trim()) ?? '';
  return cleanText(line.trim().replaceAll(/\s+/g, ' '), secrets).slice(0, LONGEST_LINE);
}
