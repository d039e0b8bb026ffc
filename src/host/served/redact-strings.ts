import { isRecord } from '#kit/is-record';
import { redact } from '#kit/redact';

/** The same value with credentials taken out of every string in it. Numbers stay what they are. */
export function redactStrings<T>(value: T, secrets: readonly string[]): T {
  const clean = (given: unknown): unknown => {
    if (typeof given === 'string') return redact(given, secrets);
    if (Array.isArray(given)) return given.map(clean);
    if (!isRecord(given)) return given;
    return Object.fromEntries(Object.entries(given).map(([key, each]) => [key, clean(each)]));
  };
  return clean(value) as T;
}
