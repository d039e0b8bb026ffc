import { type Arg, readOptions } from '../arg.ts';
import type { Call, Program } from '../call.ts';
import { type Feed, OPAQUE } from '../feed.ts';

/** Asks when an option may hide in a word that is not known. */
export function careful(call: Call): void {
  const hiding = call.args.find(
    (arg) => !arg.literal && !arg.plain && !arg.whole && !arg.below && !arg.piped,
  );
  if (hiding) call.ask(`may be given options through \`${hiding.text.slice(0, 40)}\``);
}

/** Only reads: its operands are files, or nothing that matters. */
export const readsFiles =
  (valued = '', asked: readonly string[] = []): Program =>
  (call) => {
    const options = readOptions(call.args, valued);
    if (asked.length > 0 && options.has(...asked))
      call.ask(`uses ${asked.filter((name) => options.has(name)).join(', ')}`);
    for (const operand of options.operands) call.reads(operand);
    return undefined;
  };

/** Neither reads files nor changes anything. */
export const harmless: Program = () => undefined;

/** Prints something that cannot be known from its words. */
export const prints: Program = () => OPAQUE;

export const asks =
  (why: string, level: 2 | 3 = 3): Program =>
  (call) => {
    call.level(level);
    call.ask(why);
    return OPAQUE;
  };

export const denies =
  (why: string): Program =>
  (call) => {
    call.deny(why);
    return OPAQUE;
  };

/** Some first words are fine, others are not on the list. */
export function bySubcommand(
  call: Call,
  operands: readonly Arg[],
  rules: { readonly reads?: string; readonly runs?: string; readonly asks?: string },
): 'reads' | 'runs' | 'asks' {
  const [first] = operands;
  const word = first?.text ?? '';
  const listed = (list: string | undefined) =>
    first !== undefined && first.literal && (list?.split(/\s+/).includes(word) ?? false);
  if (listed(rules.reads)) return 'reads';
  if (listed(rules.runs)) {
    call.level(2);
    return 'runs';
  }
  call.level(listed(rules.asks) ? 3 : 2);
  call.ask(word === '' ? 'is not among the uses that are listed' : `does \`${word}\`, which needs agreement`);
  return 'asks';
}

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
