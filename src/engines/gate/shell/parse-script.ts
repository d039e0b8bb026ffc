import { tell, type Text } from '#kit/text';
import { type ParsedScript, parse } from 'unbash';

/** A shell takes its script as one argument, and Linux passes none that is longer. */
export const LONGEST_COMMAND = 131_071;

/**
 * The parser looks ahead for the end of each of these, so that many of them in a long text cost the product of both.
 * This product stays below what takes a few dozen milliseconds.
 */
const OPENERS = /\{|[$<>]\(|\$\[/g;
const MOST_WORK = 16_000_000;

/** Why a text is not even parsed. Undefined: it may be. */
export function tooMuch(text: string): Text | undefined {
  if (text.length > LONGEST_COMMAND || Buffer.byteLength(text) > LONGEST_COMMAND) {
    return tell(
      `It is longer than the ${LONGEST_COMMAND} bytes that a shell can be given.`,
      `它比 shell 能接受的 ${LONGEST_COMMAND} 字节更长。`,
    );
  }
  const openers = text.match(OPENERS)?.length ?? 0;
  return openers * text.length > MOST_WORK
    ? tell('It has too many brackets to be read in good time.', '括号太多,无法及时读完。')
    : undefined;
}

/** Undefined when the parser itself gives up. */
export function parseScript(text: string): ParsedScript | undefined {
  try {
    return parse(text);
  } catch {
    // Too deeply nested for the stack: as unreadable as a syntax error.
    return undefined;
  }
}
