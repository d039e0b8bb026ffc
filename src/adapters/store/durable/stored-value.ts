import { fail } from '#kit/app-error';

const MOST_CHARS = 8_000_000;

/** A value as it is kept. Throws `input.invalid` for what JSON cannot tell, or what is too long to keep. */
export function encodeValue(value: unknown, whose: string): string | null {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    throw fail(
      'input.invalid',
      `What ${whose} gave cannot be stored: ${(cause as Error).message}`,
      undefined,
      cause,
    );
  }
  if (text === undefined) return null;
  if (text.length <= MOST_CHARS) return text;
  throw fail('input.invalid', `What ${whose} gave is too long to be stored: ${text.length} characters`);
}

export const decodeValue = (text: string | null): unknown => (text === null ? undefined : JSON.parse(text));
