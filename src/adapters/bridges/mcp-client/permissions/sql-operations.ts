/** What a text of SQL would do, or why that cannot be told. */
export type SqlReading =
  | {
      readonly readable: true;
      /** Upper-case verbs: the first word of each statement, and every verb that changes something anywhere in it. */
      readonly operations: ReadonlySet<string>;
      /** Functions with effects outside of the query, when it calls any. */
      readonly risky: ReadonlySet<string>;
      /** One plain query without a limit of its own: a limit may be put behind it. */
      readonly limitable: boolean;
    }
  | { readonly readable: false; readonly reason: string };

interface Dialect {
  readonly backslash: boolean;
  readonly hash: boolean;
  readonly nested: boolean;
  readonly dollar: boolean;
}

const FLAGS = [false, true];

/**
 * Servers disagree about where strings and comments end, and which server is behind a tool is not known here. A text is
 * therefore read in every dialect, and what any of them would see counts.
 */
const DIALECTS: readonly Dialect[] = FLAGS.flatMap((backslash) =>
  FLAGS.flatMap((hash) =>
    FLAGS.flatMap((nested) => FLAGS.map((dollar) => ({ backslash, hash, nested, dollar }))),
  ),
);

const CHANGING = new Set(
  `INSERT UPDATE DELETE MERGE REPLACE UPSERT DROP TRUNCATE ALTER CREATE GRANT REVOKE RENAME COPY CALL EXEC EXECUTE DO
   LOAD IMPORT ATTACH DETACH VACUUM REINDEX CLUSTER REFRESH LOCK`.split(/\s+/),
);
/** Verbs that are names of harmless functions too. */
const ALSO_FUNCTIONS = new Set(['REPLACE', 'INSERT', 'TRUNCATE']);
const RISKY =
  /^(?:PG_READ_\w*|PG_WRITE_\w*|PG_LS_\w*|PG_STAT_FILE|PG_TERMINATE_BACKEND|PG_CANCEL_BACKEND|PG_RELOAD_CONF|LO_\w+|DBLINK\w*|QUERY_TO_XML\w*|SET_CONFIG|SETVAL|NEXTVAL|LOAD_FILE|LOAD_EXTENSION|WRITEFILE|READFILE|OUTFILE|DUMPFILE|XP_\w+|SP_\w+|SYS_EXEC|SYS_EVAL|OPENROWSET|UTL_\w+|DBMS_\w+)$/;
const LIMITING = new Set(['LIMIT', 'FETCH', 'TOP', 'OFFSET', 'FOR', 'INTO', 'ROWNUM']);
const MOST_CHARS = 100_000;

export function readSql(text: string): SqlReading {
  if (text.length > MOST_CHARS) return { readable: false, reason: 'the statement is too long to be checked' };
  if (text.includes('\0')) return { readable: false, reason: 'the statement has a NUL in it' };
  const operations = new Set<string>();
  const risky = new Set<string>();
  let limitable = true;
  for (const dialect of DIALECTS) {
    const words = tokens(text, dialect);
    // An end that this dialect does not find is no danger in it: the server would refuse the text.
    if (!words) continue;
    const statements = split(words);
    for (const statement of statements)
      for (const operation of operationsOf(statement)) operations.add(operation);
    for (const word of words) if (isRisky(word)) risky.add(word.text);
    limitable &&= statements.length === 1 && isPlainQuery(statements[0] ?? []);
  }
  if (operations.size === 0) return { readable: false, reason: 'no statement could be found in it' };
  return { readable: true, operations, risky, limitable };
}

/** Whether a text that nobody called SQL begins like SQL. */
export function looksLikeSql(text: string): boolean {
  const start = text.replace(/^(?:\s|--[^\n]*\n|\/\*[\s\S]*?\*\/|\()*/, '').slice(0, 40);
  const [, word = ''] = /^([A-Za-z]+)\b/.exec(start) ?? [];
  return CHANGING.has(word.toUpperCase())
    ? /^[A-Za-z]+\s+\S/.test(start)
    : /^(?:SELECT\b[\s*('"]|WITH\s|EXPLAIN\s|SHOW\s|BEGIN\b|SET\s|PRAGMA\s)/i.test(start);
}

/** A function whose name is quoted could be any of them. */
const isRisky = ({ text, after }: Word): boolean => RISKY.test(text) || (text === QUOTED && after === '(');

const QUOTED = "''";

interface Word {
  readonly text: string;
  /** What stands right before and after it, spaces left out. */
  readonly before: string;
  readonly after: string;
}

/** Bare words and single signs, without strings, quoted names and comments. Undefined: one of those has no end. */
function tokens(text: string, dialect: Dialect): Word[] | undefined {
  const parts: string[] = [];
  let at = 0;
  while (at < text.length) {
    const skipped = skip(text, at, dialect);
    if (skipped === undefined) return undefined;
    if (skipped.end > at) {
      if (skipped.opaque) parts.push(QUOTED);
      at = skipped.end;
      continue;
    }
    const [word = text.charAt(at)] = /^[\p{L}_][\p{L}\p{N}_$]*/u.exec(text.slice(at, at + 256)) ?? [];
    parts.push(word.toUpperCase());
    at += word.length;
  }
  const seen = parts.filter((part) => part.trim() !== '');
  return seen.map((word, i) => ({ text: word, before: seen[i - 1] ?? '', after: seen[i + 1] ?? '' }));
}

/** Where a comment, a string or a quoted name that starts here ends; `at` itself where none does. */
function skip(
  text: string,
  at: number,
  dialect: Dialect,
): { readonly end: number; readonly opaque: boolean } | undefined {
  const two = text.slice(at, at + 2);
  if (two === '--' || (dialect.hash && text[at] === '#')) {
    const end = text.indexOf('\n', at);
    return { end: end < 0 ? text.length : end, opaque: false };
  }
  if (two === '/*') {
    // `/*! … */` runs on some servers: its inside is code.
    if (text[at + 2] === '!' || text[at + 2] === '+') return { end: at + 3, opaque: false };
    const end = commentEnd(text, at, dialect.nested);
    return end === undefined ? undefined : { end, opaque: false };
  }
  if (two === '*/') return { end: at + 2, opaque: false };
  const quote = text[at];
  if (quote === "'" || quote === '"' || quote === '`') {
    const end = quoteEnd(text, at, quote, dialect.backslash && quote !== '`');
    return end === undefined ? undefined : { end, opaque: true };
  }
  const [tag] = (dialect.dollar && /^\$(?:[A-Za-z_]\w*)?\$/.exec(text.slice(at, at + 64))) || [];
  if (tag === undefined) return { end: at, opaque: false };
  const close = text.indexOf(tag, at + tag.length);
  return close < 0 ? undefined : { end: close + tag.length, opaque: true };
}

function commentEnd(text: string, start: number, nested: boolean): number | undefined {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const two = text.slice(at, at + 2);
    if (two === '/*' && (nested || depth === 0)) depth++;
    else if (two === '*/') depth--;
    else continue;
    at++;
    if (depth === 0) return at + 1;
  }
  return undefined;
}

function quoteEnd(text: string, start: number, quote: string, backslash: boolean): number | undefined {
  for (let at = start + 1; at < text.length; at++) {
    if (backslash && text[at] === '\\') at++;
    else if (text[at] === quote) {
      if (text[at + 1] !== quote) return at + 1;
      at++;
    }
  }
  return undefined;
}

function split(words: readonly Word[]): Word[][] {
  const statements: Word[][] = [[]];
  for (const word of words) {
    if (word.text === ';') statements.push([]);
    else statements.at(-1)?.push(word);
  }
  return statements.filter((statement) => statement.some(({ text }) => text !== '(' && text !== ')'));
}

function operationsOf(statement: readonly Word[]): string[] {
  const head = statement.find(({ text }) => text !== '(');
  const found = statement
    .filter((word) => word !== head && CHANGING.has(word.text) && word.before !== '.')
    .filter((word) => !(ALSO_FUNCTIONS.has(word.text) && word.after === '('))
    .map(({ text }) => text);
  // A query INTO something makes a table or a file.
  const makes =
    statement.some(({ text }) => text === 'INTO') && !found.includes('INSERT') && head?.text !== 'INSERT';
  const first = head?.text ?? '';
  const heads = first === 'WITH' ? mainVerbs(statement) : [first];
  return [...heads, ...found, ...(makes && ['SELECT', 'WITH', 'TABLE'].includes(first) ? ['INSERT'] : [])];
}

/** A WITH is what its parts do; one whose verb cannot be seen is itself. */
function mainVerbs(statement: readonly Word[]): string[] {
  const verbs = statement.map(({ text }) => text).filter((text) => text === 'SELECT' || CHANGING.has(text));
  return verbs.length > 0 ? verbs.filter((verb) => verb === 'SELECT') : ['WITH'];
}

function isPlainQuery(statement: readonly Word[]): boolean {
  const head = statement[0]?.text;
  return (
    (head === 'SELECT' || head === 'WITH') &&
    statement.every(({ text }) => !LIMITING.has(text) && !CHANGING.has(text))
  );
}
