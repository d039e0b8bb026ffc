import { randomInt } from 'node:crypto';

/** Without the letters and digits that are taken for one another. */
const ALPHABET = '23456789abcdefghjkmnpqrstvwxyz';
const LENGTH = 8;

/** Short enough to be typed after `/approve`. Knowing it gives no right to anything. */
export const approvalId = (): string =>
  Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
