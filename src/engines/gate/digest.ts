import { createHash } from 'node:crypto';
import type { Action, Requester } from '#spec/data';

/**
 * JSON with sorted keys: equal values give equal texts, different ones different texts. Throws on what JSON cannot tell
 * apart or express, such as NaN, functions or a circle. An absent key and an undefined one are the same.
 */
export function canonicalJson(value: unknown): string {
  return write(value, new Set());
}

function write(value: unknown, above: Set<object>): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number' && Number.isFinite(value)) return JSON.stringify(value);
  if (typeof value !== 'object' || above.has(value))
    throw new TypeError(`${typeof value} cannot be written as JSON`);
  above.add(value);
  const text = Array.isArray(value) ? writeList(value, above) : writeRecord(value, above);
  above.delete(value);
  return text;
}

const writeList = (list: readonly unknown[], above: Set<object>): string =>
  `[${Array.from(list, (item) => write(item, above)).join(',')}]`;

function writeRecord(record: object, above: Set<object>): string {
  const prototype: unknown = Object.getPrototypeOf(record);
  if (prototype !== Object.prototype && prototype !== null)
    throw new TypeError('only plain objects are JSON');
  const fields = Object.entries(record)
    .filter(([, value]) => value !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${JSON.stringify(key)}:${write(value, above)}`);
  return `{${fields.join(',')}}`;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** What is shown is made from the rest. An undefined field counts as none. */
const unseen = (action: Action) => ({ ...action, shown: undefined });

/** Names one call, whoever makes it. */
export const actionDigest = (action: Action): string => sha256(canonicalJson(unseen(action)));

/** Names one call of one requester: what an approval is bound to. */
export const requestDigest = (action: Action, requester: Requester): string =>
  sha256(canonicalJson({ action: unseen(action), requester }));
