import type { Text } from '#kit/text';
import type { Program } from '../call.ts';
import { type Feed, OPAQUE } from '../feed.ts';

export const asks =
  (why: Text, level: 2 | 3 = 3): Program =>
  (call) => {
    call.level(level);
    call.ask(why);
    return OPAQUE;
  };

export const denies =
  (why: Text): Program =>
  (call) => {
    call.deny(why);
    return OPAQUE;
  };

export const mentionsHermes = (words: readonly string[]): boolean =>
  words.some((word) => couldMeanHermes(word));

/** Whether a name or a pattern of names reaches the processes of Hermes. */
export function couldMeanHermes(pattern: string): boolean {
  if (/hermes/i.test(pattern)) return true;
  if (pattern.length > 40 || pattern.length < 2 || !/[[\].*?+|^$(){}\\]/.test(pattern)) return false;
  try {
    return new RegExp(pattern, 'i').test('hermes');
  } catch {
    // Not a regular expression: then it is a plain name, and was looked at above.
    return false;
  }
}

export const OUTPUT_FROM_NETWORK: Feed = { ...OPAQUE, network: true };
