import { randomBytes } from 'node:crypto';

/** A fresh id in the manner of the vendors: a prefix and 24 characters. */
export const newId = (prefix: string): string => `${prefix}${randomBytes(12).toString('hex')}`;
