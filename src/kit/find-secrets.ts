import { findAssigned } from './secret-assignments.ts';
import { findHanded } from './secret-commands.ts';
import { findHeaders } from './secret-headers.ts';
import { findPrivateKeys } from './secret-pem.ts';
import { findTokens } from './secret-tokens.ts';
import { findInAddresses } from './secret-addresses.ts';

/** A piece of a text that nobody else should see, and what it is: `password`, `aws-key`, `private-key`, … */
export interface FoundSecret {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
}

/**
 * Every secret in a text, from its start, without overlaps. Each way of looking goes over the text once, and what it
 * tries at one place is bounded, so that the time stays in proportion to the text whatever stands in it. Quotes,
 * backslashes and line ends around a secret are left alone: JSON stays JSON.
 */
export function findSecrets(text: string): readonly FoundSecret[] {
  if (text.length < SHORTEST) return [];
  const found: FoundSecret[] = [];
  const plain = findPrivateKeys(text, found);
  for (const look of LOOKS) look(text, found);
  if (found.length === 0) return found;
  const marks = [...text.matchAll(SECRET_MARK)].map(({ 0: mark, index }) => ({
    start: index + 1,
    end: index + mark.length,
  }));
  const left = [...plain, ...marks].toSorted((a, b) => a.start - b.start);
  const sorted = found.toSorted((a, b) => a.start - b.start || b.end - a.end);
  const apart: FoundSecret[] = [];
  let at = 0;
  for (const next of sorted) {
    while (at < left.length && (left[at]?.end ?? 0) <= next.start) at++;
    if ((left[at]?.start ?? Number.POSITIVE_INFINITY) <= next.start) continue;
    const last = apart.at(-1);
    if (!last || next.start >= last.end) apart.push(next);
    else if (next.end > last.end) apart[apart.length - 1] = { ...last, end: next.end };
  }
  return apart;
}

const LOOKS = [findTokens, findInAddresses, findHeaders, findAssigned, findHanded];

/** What stands where a secret stood. */
export const SECRET_MARK: RegExp = /\[secret:[\w.-]{1,80}\]/g;

/** `pwd=x1` has nothing in it that matters. */
const SHORTEST = 7;
