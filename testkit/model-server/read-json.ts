import { isRecord } from '#kit/is-record';

/** Lenient readers for request bodies: whatever is not of the wanted kind reads as empty. */
export const asRecord = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {});

export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A tool call's arguments where a protocol wants an object: text that does not parse becomes an empty one. */
export function parsedArguments(json: string): unknown {
  try {
    return JSON.parse(json || '{}');
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
