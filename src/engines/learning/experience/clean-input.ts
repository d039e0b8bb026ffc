import { isRecord } from '#kit/is-record';
import { looksSecret } from '#kit/looks-secret';
import { type KnownSecrets, redact, secretMark } from '#kit/redact';

const LONGEST = 400;
const MOST_ITEMS = 40;
const DEEPEST = 4;

/** Arguments as they may be kept: no secrets, no long texts, nothing without an end. */
export function cleanInput(input: unknown, secrets: KnownSecrets, depth = 0): unknown {
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
      looksSecret(key) && typeof value === 'string'
        ? secretMark('value')
        : cleanInput(value, secrets, depth + 1),
    ]),
  );
}

/** A text as it may be kept. */
export function cleanText(text: string, secrets: KnownSecrets): string {
  return redact(text, secrets);
}

const LONGEST_LINE = 160;

/** What a call gave, as one line without secrets. */
export function cleanLine(text: string, secrets: KnownSecrets): string {
  const line = text.split('\n').find((part) => part.trim()) ?? '';
  return cleanText(line.trim().replaceAll(/\s+/g, ' '), secrets).slice(0, LONGEST_LINE);
}
