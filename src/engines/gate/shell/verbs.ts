import { tell, type Text } from '#kit/text';
import type { Arg } from './arg.ts';
import type { Program } from './call.ts';
import { OPAQUE } from './feed.ts';
import { applyGrammar, type Grammar, joinGrammars, marked, readWords, type Rule } from './grammar.ts';

/** A sub-command: what it does, and the words that it is known with besides those of its program. */
export interface Verb {
  /** `reads` only looks; `runs` changes or runs what lies in the working folder; `asks` needs a person. */
  readonly does: 'reads' | 'runs' | 'asks';
  readonly grammar?: Grammar;
  readonly rule?: Rule;
  /** Why a person is asked. */
  readonly why?: Text;
}

/** Sub-commands by their words, as in `rollout status`. A `*` stands for one word, `list-*` for a word that begins so. */
export type Verbs = Readonly<Record<string, Verb>>;

export const reads = (grammar: Grammar = {}, rule?: Rule): Verb =>
  rule ? { does: 'reads', grammar, rule } : { does: 'reads', grammar };
export const runs = (grammar: Grammar = {}, rule?: Rule): Verb =>
  rule ? { does: 'runs', grammar, rule } : { does: 'runs', grammar };
export const needsAgreement = (why: Text, grammar: Grammar = {}, rule?: Rule): Verb =>
  rule ? { does: 'asks', why, grammar, rule } : { does: 'asks', why, grammar };

/** Several sub-commands that are known with the same words. */
export const each = (names: string, verb: Verb): Verbs =>
  Object.fromEntries(
    names
      .split(/[,\n]/)
      .map((name) => name.trim())
      .filter(Boolean)
      .map((name) => [name, verb]),
  );

interface VerbOptions {
  /** What it does without a verb. */
  readonly alone?: 'reads' | 'asks';
  /** The program's own options stand in front of the verb only; behind it the same letters mean something else. */
  readonly apart?: boolean;
}

/**
 * A program with sub-commands. The verb is found by its position: behind the program's own options, and nowhere else. What
 * is no verb of the table asks.
 */
export const byVerb = (
  globals: Grammar,
  verbs: Verbs,
  { alone = 'reads', apart = false }: VerbOptions = {},
): Program => {
  const index = indexOf(verbs);
  const inFront: Grammar = { ...globals, stopsEarly: true };
  return marked(
    (call) => {
      const before = readWords(call.args, inFront, () => undefined);
      const found = findVerb(before.operands, index);
      if (!found) {
        const words = applyGrammar(call, call.args, inFront);
        const [first] = words.operands;
        if (first || alone === 'asks') {
          call.level(2);
          call.ask(
            first
              ? tell(
                  `does \`${first.text.slice(0, 40)}\`, which is not known to be harmless`,
                  `会执行 \`${first.text.slice(0, 40)}\`,是否无害尚不可知`,
                )
              : tell('waits for somebody, or does something of its own', '会等人操作,或自行其是'),
          );
        }
        return OPAQUE;
      }
      const { verb, length } = found;
      const start = call.args.indexOf(before.operands[0] as Arg);
      const own = call.args.slice(0, start);
      const rest = [...own, ...before.operands.slice(length)];
      if (verb.does === 'asks') {
        call.level(3);
        call.ask(verb.why ?? tell('needs agreement', '需要同意'));
      } else if (verb.does === 'runs') call.level(2);
      if (apart) applyGrammar(call, own, globals);
      const words = apart
        ? applyGrammar(call, rest.slice(own.length), verb.grammar ?? {})
        : applyGrammar(call, rest, joined(globals, verb.grammar));
      return verb.rule ? verb.rule(call, words) : OPAQUE;
    },
    { grammar: globals, verbs },
  );
};

const JOINED = new WeakMap<Grammar, Map<Grammar, Grammar>>();
function joined(globals: Grammar, own: Grammar | undefined): Grammar {
  if (!own) return globals;
  let known = JOINED.get(globals);
  if (!known) JOINED.set(globals, (known = new Map()));
  let grammar = known.get(own);
  if (!grammar) known.set(own, (grammar = joinGrammars(globals, own)));
  return grammar;
}

interface Indexed {
  readonly words: readonly string[];
  readonly verb: Verb;
}

/** The longest first, so that `config view` goes before `config`; exact words before patterns. */
const indexOf = (verbs: Verbs): readonly Indexed[] =>
  Object.entries(verbs)
    .map(([name, verb]) => ({ words: name.split(' '), verb }))
    .sort(
      (one, other) =>
        other.words.length - one.words.length ||
        Number(one.words.some((word) => word.includes('*'))) -
          Number(other.words.some((word) => word.includes('*'))),
    );

function findVerb(
  operands: readonly Arg[],
  index: readonly Indexed[],
): { readonly verb: Verb; readonly length: number } | undefined {
  for (const { words, verb } of index) {
    const fits = words.every((word, at) => {
      const given = operands[at];
      if (!given?.literal || given.glob) return false;
      if (word === '*') return /^[\w-]+$/.test(given.text);
      return word.endsWith('*')
        ? given.text.startsWith(word.slice(0, -1)) && !given.text.startsWith('-')
        : given.text === word;
    });
    if (fits) return { verb, length: words.length };
  }
  return undefined;
}
