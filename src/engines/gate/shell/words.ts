import type {
  AssignmentPrefix,
  CommandArgument,
  DoubleQuotedChild,
  ParsedScript,
  Word,
  WordPart,
} from 'unbash';
import { type Arg, literal } from './arg.ts';
import { EMPTY, type Feed, joinFeeds } from './feed.ts';

/** What a word is read against. */
export interface Reader {
  /** Counts what has been looked at; false when that is enough. */
  step(count: number): boolean;
  /** Undefined: not known here. */
  variable(name: string): string | undefined;
  /** Judges the script of a substitution and tells what it prints. */
  substitution(script: ParsedScript | undefined, takesOutput?: boolean): Feed;
  /** Judges what an expansion runs besides, such as `${a[$(…)]}` or `$((…))`. */
  inner(part: WordPart): void;
}

interface Piece {
  text: string;
  literal: boolean;
  whole: boolean;
  glob: boolean;
  plain: boolean;
  secrets: string[];
  feed: Feed | undefined;
  piped: Feed | undefined;
}

const piece = (text: string, changes: Partial<Piece> = {}): Piece => ({
  text,
  literal: true,
  whole: true,
  glob: false,
  plain: false,
  secrets: [],
  feed: undefined,
  piped: undefined,
  ...changes,
});

/** Values of variables that say nothing about what would run. */
const HARMLESS =
  /^(?:RANDOM|SECONDS|LINENO|EPOCHSECONDS|EPOCHREALTIME|UID|EUID|PPID|BASHPID|BASH_VERSION|HOSTNAME|USER|LOGNAME|\?|\$|!|#)$/;
const SECRET =
  /(?:^|_)(?:API_?KEY|APIKEY|ACCESS_KEY(?:_ID)?|SECRET(?:_\w+)?|PRIVATE_KEY|TOKEN|PASSWORD|PASSWD|PASSPHRASE|PAT|CREDENTIALS?|AUTH|DATABASE_URL|DSN|CONNECTION_STRING|ENCRYPTION_KEY|SIGNING_KEY|WEBHOOK_URL|COOKIE|SESSION_KEY)$/i;
const PLAIN_PROGRAMS = new Set([
  'git',
  'date',
  'pwd',
  'nproc',
  'id',
  'whoami',
  'hostname',
  'uname',
  'mktemp',
  'basename',
  'dirname',
  'wc',
]);
const MOST_WORDS = 64;
const LONGEST_VALUE = 65_536;

export const isSecretName = (name: string): boolean => SECRET.test(name);

/** The arguments that a word becomes: one, or several when it has braces. */
export function readWord(word: Word, reader: Reader): readonly Arg[] {
  const parts = reader.step(1) ? word.parts : undefined;
  if (!parts) return [{ ...literal(word.value), glob: false, whole: true }];
  if (!reader.step(parts.length)) return [finish(piece(word.text, { literal: false, whole: false }))];
  let alternatives: Piece[] = [piece('')];
  let first = true;
  for (const part of parts) {
    const options = readPart(part, reader);
    if (alternatives.length * options.length > MOST_WORDS)
      return [finish(piece(word.text, { literal: false, whole: false }))];
    alternatives = alternatives.flatMap((before) => options.map((option) => joinPieces(before, option)));
    // A quoted tilde is a name like any other.
    if (first && part.type !== 'Literal' && part.type !== 'BraceExpansion') {
      alternatives = alternatives.map((each) =>
        each.text.startsWith('~') && part.type.endsWith('Quoted')
          ? { ...each, text: `./${each.text}` }
          : each,
      );
    }
    first = false;
  }
  return alternatives.map(finish);
}

const finish = (one: Piece): Arg => ({
  text: one.text,
  literal: one.literal,
  whole: one.whole && !one.glob,
  glob: one.glob,
  plain: one.plain && !one.literal,
  below: false,
  secrets: one.secrets,
  ...(one.feed ? { feed: one.feed } : {}),
  ...(one.piped ? { piped: one.piped } : {}),
});

function joinPieces(one: Piece, other: Piece): Piece {
  return {
    text: one.text.length + other.text.length > LONGEST_VALUE ? one.text : one.text + other.text,
    literal: one.literal && other.literal && one.text.length + other.text.length <= LONGEST_VALUE,
    whole: one.whole && other.whole,
    glob: one.glob || other.glob,
    plain: (one.literal || one.plain) && (other.literal || other.plain),
    secrets: other.secrets.length > 0 ? [...one.secrets, ...other.secrets] : one.secrets,
    feed: one.feed && other.feed ? joinFeeds(one.feed, other.feed) : (one.feed ?? other.feed),
    piped: one.piped ?? other.piped,
  };
}

function readPart(part: WordPart, reader: Reader): Piece[] {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [piece(part.value)];
    case 'Glob':
      if (part.kind === 'bracket') reader.inner(part);
      return [piece(part.text, { glob: true })];
    case 'ExtendedGlob':
      reader.inner(part);
      return [piece(part.text, { glob: true, literal: false })];
    case 'BraceExpansion':
      reader.inner(part);
      return expandBraces(part.text);
    case 'DoubleQuoted':
    case 'LocaleString':
      if (!reader.step(part.parts.length)) return [piece(part.text, { literal: false })];
      return [
        {
          ...part.parts.map((child) => readExpansion(child, reader)).reduce(joinPieces, piece('')),
          whole: true,
        },
      ];
    case 'ProcessSubstitution': {
      const feed = reader.substitution(part.script, part.operator === '>');
      return [piece(part.text, { literal: false, piped: part.operator === '<' ? feed : EMPTY })];
    }
    default:
      return [readExpansion(part, reader)];
  }
}

function readExpansion(part: DoubleQuotedChild, reader: Reader): Piece {
  switch (part.type) {
    case 'Literal':
      return piece(part.value);
    case 'SimpleExpansion':
      return readVariable(part.text.slice(1), part.text, reader);
    case 'ParameterExpansion': {
      reader.inner(part);
      if (part.prefix === '#') return piece('0', { literal: false, plain: true });
      if (!part.prefix && !part.operation && !part.index)
        return readVariable(part.parameter, part.text, reader);
      return piece(part.text, {
        literal: false,
        whole: false,
        secrets: isSecretName(part.parameter) ? [part.parameter] : [],
      });
    }
    case 'CommandExpansion': {
      const feed = reader.substitution(part.script);
      const plain =
        feed.commands.length > 0 && feed.commands.every(([name]) => PLAIN_PROGRAMS.has(name ?? ''));
      return piece(part.text, { literal: false, whole: false, plain, feed });
    }
    case 'ArithmeticExpansion':
      reader.inner(part);
      return piece(part.text, { literal: false, plain: true });
  }
}

function readVariable(name: string, shown: string, reader: Reader): Piece {
  const value = reader.variable(name);
  const secrets = isSecretName(name) ? [name] : [];
  if (value === undefined) {
    return piece(shown, { literal: false, whole: false, plain: HARMLESS.test(name), secrets });
  }
  // An unquoted value would fall apart at blanks, and open up as a pattern.
  const splits = /\s/.test(value);
  return piece(value, { literal: !splits, whole: !splits, glob: /[*?[]/.test(value), secrets });
}

/** `{a,b}` and `{1..3}` written out, as far as they hold nothing that has to be expanded first. */
function expandBraces(text: string): Piece[] {
  const body = text.slice(1, -1);
  if (/[$`'"\\{}<>]/.test(body)) return [piece(text, { literal: false, whole: false })];
  const range = /^(-?\d{1,4})\.\.(-?\d{1,4})$/.exec(body);
  if (range) {
    const [from, to] = [Number(range[1]), Number(range[2])];
    const count = Math.abs(to - from) + 1;
    if (count > MOST_WORDS) return [piece(text, { literal: false, plain: true })];
    const step = to < from ? -1 : 1;
    return Array.from({ length: count }, (_, at) => piece(String(from + at * step)));
  }
  const words = body.split(',');
  if (words.length < 2 || words.length > MOST_WORDS) return [piece(text, { literal: false, whole: false })];
  return words.map((word) => piece(word, { glob: /[*?[]/.test(word) }));
}

/** `NAME=value` in front of a command or behind `export`; arrays count as unknown. */
export interface Assigned {
  readonly name: string;
  readonly value: Arg;
  readonly simple: boolean;
}

export function readAssignment(assignment: AssignmentPrefix, reader: Reader): Assigned {
  const { value, index, append } = assignment;
  if (index) readWord(index, reader);
  if (value.type === 'ArrayValue') {
    const elements = value.elements.flatMap((element) => readWord(element, reader));
    const secrets = elements.flatMap((element) => element.secrets);
    return {
      name: assignment.name,
      value: { ...literal(assignment.text), literal: false, secrets },
      simple: false,
    };
  }
  const [arg = literal('')] = readWord(value, reader);
  return { name: assignment.name, value: arg, simple: !index && !append };
}

export const isWord = (argument: CommandArgument): argument is Word => argument.type === 'Word';
