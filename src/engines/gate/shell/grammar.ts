import { tell } from '#kit/text';
import { type Arg, cutArg } from './arg.ts';
import type { Call, Program } from './call.ts';
import { type Feed, OPAQUE } from './feed.ts';
import type { Verbs } from './verbs.ts';

/**
 * Which words a program or a sub-command of it is known with. What is not written down here is not known, and what is not
 * known is never allowed: there is no way to say "any other option".
 *
 * A list holds names apart by blanks. `-o|--output` are two names of one option; `!--no-dry-run` behind a bar takes the
 * option back; `abc` without a dash stands for the letters `-a`, `-b` and `-c`.
 */
export interface Grammar {
  /** Options without a value, of no consequence; a rule may ask `has` for them. */
  readonly flags?: string;
  /** Options with a value of no consequence. It is glued, behind `=`, or the next word. */
  readonly text?: string;
  /** Options whose value can only be glued: `--color=never`, `-M90%`. */
  readonly glued?: string;
  /** The value is a file that is read. */
  readonly reads?: string;
  /** The value is a file that is written; `-` is the standard output. */
  readonly writes?: string;
  /** The value is text, or `@file`, or `name=@file`; a file is read. */
  readonly data?: string;
  /** The value is a place to work in or to take settings from: one outside of the working folder asks. */
  readonly inside?: string;
  /** The value runs as a program, or is a plug-in: it asks. */
  readonly runs?: string;
  /** Options without a value that always ask. */
  readonly asks?: string;
  /** Options with a value that always ask. */
  readonly asksWith?: string;
  /**
   * How options are written. `gnu`: letters together, `--long`. `word`: `-name value` and `-name=value` as in Go and Java,
   * with one dash or two, never letters together.
   */
  readonly style?: 'gnu' | 'word';
  /** `-5` is an option. */
  readonly numbers?: boolean;
  /** In Go's manner `--flag=false` takes a flag back and `--flag=true` sets it. */
  readonly booleans?: boolean;
  /** Everything behind the first operand is an operand too: what wraps another command reads so. */
  readonly stopsEarly?: boolean;
  /** A word that cannot be told beforehand may bring options along. True where none of its options does harm. */
  readonly calm?: boolean;
  /**
   * What the operands are, in order; the last one holds for all that follow. `none`: there are none. Without it the rule
   * says what they are.
   */
  readonly operands?: readonly Operand[];
}

type Operand = 'text' | 'reads' | 'writes' | 'none' | 'rule';

type Kind =
  | 'flags'
  | 'text'
  | 'glued'
  | 'reads'
  | 'writes'
  | 'data'
  | 'inside'
  | 'runs'
  | 'asks'
  | 'asksWith';
const KINDS: readonly Kind[] = [
  'flags',
  'text',
  'glued',
  'reads',
  'writes',
  'data',
  'inside',
  'runs',
  'asks',
  'asksWith',
];
const WITHOUT_VALUE: ReadonlySet<Kind> = new Set(['flags', 'asks']);

interface Option {
  /** Its first name, by which it is kept. */
  readonly name: string;
  readonly kind: Kind;
  /** This way of writing it takes it back. */
  readonly off: boolean;
}

/** What was written: the last of repeated options wins, and one that was taken back is not there. */
export interface Words {
  readonly operands: readonly Arg[];
  /** Options that the grammar does not know, as they are written. */
  readonly unknown: readonly Arg[];
  has(...names: string[]): boolean;
  /** The value that counts: the last one. */
  value(name: string): Arg | undefined;
  /** All values, in order, for options that add up. */
  values(...names: string[]): readonly Arg[];
}

interface Table {
  /** Every name with what it means. */
  readonly byName: ReadonlyMap<string, Option>;
  /** The first names of each kind. */
  readonly byKind: Readonly<Record<Kind, readonly string[]>>;
}

const TABLES = new WeakMap<Grammar, Table>();

/** What the lists of a grammar say, taken apart once. */
export function optionsOf(grammar: Grammar): Table {
  let table = TABLES.get(grammar);
  if (!table) {
    const byName = new Map(KINDS.flatMap((kind) => namesIn(grammar[kind] ?? '', kind)));
    const namesOf = (kind: Kind) => [
      ...new Set([...byName.values()].filter((option) => option.kind === kind).map(({ name }) => name)),
    ];
    const byKind = Object.fromEntries(
      KINDS.map((kind) => [kind, namesOf(kind)]),
    ) as unknown as Table['byKind'];
    TABLES.set(grammar, (table = { byName, byKind }));
  }
  return table;
}

function namesIn(list: string, kind: Kind): [string, Option][] {
  return list
    .split(/\s+/)
    .filter(Boolean)
    .flatMap((token) => {
      if (!/^[-+]/.test(token))
        return [...token].map((letter): [string, Option] => [
          `-${letter}`,
          { name: `-${letter}`, kind, off: false },
        ]);
      const [first = '', ...others] = token.split('|');
      return [first, ...others].map((name): [string, Option] => {
        const off = name.startsWith('!');
        return [off ? name.slice(1) : name, { name: first, kind, off }];
      });
    });
}

/** Both at once: the options of a program that its sub-commands take, too. */
export function joinGrammars(one: Grammar, other: Grammar): Grammar {
  const lists = KINDS.map((kind) => [kind, [one[kind], other[kind]].filter(Boolean).join(' ')] as const);
  return { ...one, ...other, ...Object.fromEntries(lists.filter(([, list]) => list !== '')) };
}

interface Given {
  readonly option: Option;
  readonly value?: Arg;
}

/** Reads the words of a command by its grammar, as the program itself would; reports what is not known. */
export function readWords(args: readonly Arg[], grammar: Grammar, report: (word: string) => void): Words {
  const table = optionsOf(grammar).byName;
  const given: Given[] = [];
  const operands: Arg[] = [];
  const strange: Arg[] = [];
  const unknown = (word: string): void => {
    const arg = args[at];
    if (arg) strange.push(arg);
    report(word);
  };
  const give = (option: Option, value?: Arg) => given.push(value ? { option, value } : { option });
  let at = 0;
  /** An option of this name with whatever value it must have; false: there is none of that name. */
  const take = (name: string, arg: Arg, glued: Arg | undefined): boolean => {
    const option = table.get(name);
    if (!option) return false;
    if (WITHOUT_VALUE.has(option.kind)) {
      if (glued === undefined) give(option);
      else if (grammar.booleans && glued.literal && /^(?:true|false)$/i.test(glued.text))
        give({ ...option, off: option.off !== /^false$/i.test(glued.text) });
      else unknown(arg.text);
    } else if (option.kind === 'glued') give(option, glued);
    else if (glued !== undefined) give(option, glued);
    else if (args[at + 1]) give(option, args[++at]);
    else unknown(arg.text);
    return true;
  };
  for (; at < args.length; at++) {
    const arg = args[at] as Arg;
    const { text } = arg;
    if (text === '--') {
      operands.push(...args.slice(at + 1));
      break;
    }
    const isOption = (text.startsWith('-') && text !== '-') || (text.startsWith('+') && table.has(text));
    if (!isOption) {
      if (grammar.stopsEarly) {
        operands.push(...args.slice(at));
        break;
      }
      operands.push(arg);
      continue;
    }
    if (!arg.literal && !arg.plain && !grammar.calm && !isFixedName(text)) {
      unknown(text);
      operands.push(arg);
      continue;
    }
    if (grammar.numbers && /^-\d+$/.test(text)) continue;
    const equals = text.indexOf('=');
    if (text.startsWith('--') || grammar.style === 'word') {
      const name = equals > 0 ? text.slice(0, equals) : text;
      const glued = equals > 0 ? cutArg(arg, equals + 1) : undefined;
      const other = name.startsWith('--') ? name.slice(1) : `-${name}`;
      if (take(name, arg, glued) || (grammar.style === 'word' && take(other, arg, glued))) continue;
      unknown(name);
      continue;
    }
    // A whole word behind one dash, as some programs have among their letters.
    if (text.length > 2 && table.has(text)) {
      take(text, arg, undefined);
      continue;
    }
    readLetters(arg);
  }

  function readLetters(arg: Arg): void {
    const { text } = arg;
    for (let letter = 1; letter < text.length; letter++) {
      const name = `-${text[letter]}`;
      const option = table.get(name);
      if (!option) return unknown(letter === 1 ? text : name);
      if (WITHOUT_VALUE.has(option.kind)) {
        give(option);
        continue;
      }
      take(name, arg, letter + 1 < text.length ? cutArg(arg, letter + 1) : undefined);
      return;
    }
  }

  return wordsOf(given, operands, strange, table);
}

/** `--name=$value`: the name is certain. */
const isFixedName = (text: string): boolean => /^--?[\w-]+=/.test(text) || /^-[A-Za-z]$/.test(text);

function wordsOf(
  given: readonly Given[],
  operands: readonly Arg[],
  unknown: readonly Arg[],
  table: ReadonlyMap<string, Option>,
): Words {
  const nameOf = (name: string): string => {
    const option = table.get(name);
    // A rule that asks for what no list names would never be answered.
    if (!option) throw new Error(`the grammar has no option ${name}`);
    return option.name;
  };
  const last = (name: string) => given.findLast(({ option }) => option.name === nameOf(name));
  return {
    operands,
    unknown,
    has: (...names) => names.some((name) => last(name)?.option.off === false),
    value: (name) => last(name)?.value,
    values: (...names) => {
      const wanted = new Set(names.map(nameOf));
      return given.flatMap(({ option, value }) => (value && wanted.has(option.name) ? [value] : []));
    },
  };
}

/** Reads a command by its grammar and says what each known option amounts to. */
export function applyGrammar(call: Call, args: readonly Arg[], grammar: Grammar): Words {
  const words = readWords(args, grammar, (word) =>
    call.ask(
      tell(
        `uses \`${word.slice(0, 40)}\`, which is not known to be harmless`,
        `会使用 \`${word.slice(0, 40)}\`,是否无害尚不可知`,
      ),
    ),
  );
  const { byKind } = optionsOf(grammar);
  const by = (kind: Kind) => byKind[kind];
  for (const file of words.values(...by('reads'))) if (file.text !== '-') call.reads(file);
  for (const file of words.values(...by('writes')))
    if (!/^(?:-|\/dev\/(?:stdout|stderr|fd\/[12]))$/.test(file.text)) call.writes(file, 'change');
  for (const value of words.values(...by('data'))) readData(call, value);
  for (const value of words.values(...by('text')))
    if (/^@[/~.]|^fileb?:/.test(value.text))
      readData(call, { ...value, text: value.text.replace(/^fileb?:(?:\/\/)?/, '@') });
  for (const value of words.values(...by('inside'))) judgeInside(call, value);
  for (const name of by('runs'))
    if (words.has(name))
      call.ask(tell(`runs another program through \`${name}\``, `会经由 \`${name}\` 运行另一个程序`));
  for (const name of [...by('asks'), ...by('asksWith')])
    if (words.has(name))
      call.ask(tell(`uses \`${name}\`, which needs agreement`, `会使用 \`${name}\`,需要同意`));
  if (!grammar.calm) careful(call, args);
  judgeOperands(call, words.operands, grammar.operands);
  return words;
}

/** Asks when an option may hide in a word that is not known. */
function careful(call: Call, args: readonly Arg[]): void {
  const hiding = args.find((arg) => !arg.literal && !arg.plain && !arg.whole && !arg.below && !arg.piped);
  if (hiding)
    call.ask(
      tell(
        `may be given options through \`${hiding.text.slice(0, 40)}\``,
        `可能经由 \`${hiding.text.slice(0, 40)}\` 带入选项`,
      ),
    );
}

/** `@file`, `<file` and `name=@file`. */
export const fileInData = (text: string): string | undefined => {
  const path = /^(?:[^@<=]*=)?[@<](.+)$/s.exec(text)?.[1] ?? /^[^@=\s]+@(.+)$/s.exec(text)?.[1];
  return path === '-' ? undefined : path;
};

function readData(call: Call, value: Arg): void {
  const path = fileInData(value.text);
  if (path === undefined) return;
  call.reads({ ...value, text: path });
  call.ask(tell(`takes the file ${path.slice(0, 80)} along`, `会带上文件 ${path.slice(0, 80)}`));
}

/** A place below the working folder is the project's own. */
function judgeInside(call: Call, place: Arg): void {
  if (!place.literal || place.glob || !call.isInside(place))
    call.ask(
      tell(
        `uses ${place.text.slice(0, 80)}, which lies outside of the working folder`,
        `会使用 ${place.text.slice(0, 80)},它在工作目录之外`,
      ),
    );
}

function judgeOperands(call: Call, operands: readonly Arg[], kinds: readonly Operand[] | undefined): void {
  if (!kinds) return;
  for (const [at, operand] of operands.entries()) {
    const kind = kinds[Math.min(at, kinds.length - 1)];
    if (kind === 'reads' && operand.text !== '-') call.reads(operand);
    else if (kind === 'writes' && operand.text !== '-') call.writes(operand, 'change');
    else if (kind === 'none')
      call.ask(
        tell(
          `is given \`${operand.text.slice(0, 40)}\`, which is not known here`,
          `带有此处未知的 \`${operand.text.slice(0, 40)}\``,
        ),
      );
  }
}

/** What a rule says once the words have been read. Undefined: what comes out is what went in, changed. */
export type Rule = (call: Call, words: Words) => Feed | undefined;

/** A program that is known by a grammar. */
export const known = (grammar: Grammar, rule: Rule = () => OPAQUE): Program =>
  marked((call) => rule(call, applyGrammar(call, call.args, grammar)), { grammar });

/** What the fuzzer may know of a program: the words that it is known with. */
export interface Knowledge {
  readonly grammar?: Grammar;
  readonly verbs?: Verbs;
}

const KNOWLEDGE = new WeakMap<Program, Knowledge>();
export const marked = (program: Program, knowledge: Knowledge): Program => {
  KNOWLEDGE.set(program, knowledge);
  return program;
};
export const knowledgeOf = (program: Program): Knowledge | undefined => KNOWLEDGE.get(program);
