/** One piece of code. Blanks and comments are left out. */
export interface Token {
  readonly kind: 'name' | 'number' | 'text' | 'pattern' | 'sign' | 'break';
  readonly text: string;
}

/** How a language writes what the reader must not confuse with names. */
export interface Lexicon {
  readonly comment: RegExp;
  /** Strings in which nothing is replaced, or only escapes. */
  readonly strings: RegExp;
  /** Strings into which values are put; the code in them would have to be read as well. */
  readonly woven?: RegExp;
  /** `/…/` is a pattern where a value cannot end just before it. */
  readonly patterns?: boolean;
  readonly names?: RegExp;
}

const BLANK = /[^\S\n]+|\\\n/y;
const NUMBER = /0[xob][\da-f_]+|(?:\d[\d_]*\.?[\d_]*|\.\d+)(?:e[+-]?\d+)?[jnl]?/iy;
const NAME = /[A-Za-z_$][\w$]*/y;
const PATTERN = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y;
const SIGN = /=>|\*\*|\/\/|<<|>>|[-+*/%=!<>&|^~]=|&&|\|\||::|\.\.\.|[^\s\w]/y;

/** The pieces of a text in order. Undefined: something in it cannot be read, such as an unknown string. */
export function tokensOf(code: string, lexicon: Lexicon): readonly Token[] | undefined {
  const sticky = (pattern: RegExp) =>
    new RegExp(pattern.source, pattern.flags.includes('y') ? pattern.flags : `${pattern.flags}y`);
  const [comment, strings] = [sticky(lexicon.comment), sticky(lexicon.strings)];
  const woven = lexicon.woven && sticky(lexicon.woven);
  const names = lexicon.names ? sticky(lexicon.names) : NAME;
  const found: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const text = pattern.exec(code)?.[0];
    if (text === undefined || text === '') return undefined;
    at += text.length;
    return text;
  };
  while (at < code.length) {
    if (take(BLANK) !== undefined || take(comment) !== undefined) continue;
    if (code[at] === '\n') {
      found.push({ kind: 'break', text: '\n' });
      at++;
      continue;
    }
    if (woven && take(woven) !== undefined) return undefined;
    const text = take(strings);
    if (text !== undefined) {
      found.push({ kind: 'text', text });
      continue;
    }
    const pattern = lexicon.patterns && !endsValue(found.at(-1)) ? take(PATTERN) : undefined;
    if (pattern !== undefined) {
      found.push({ kind: 'pattern', text: pattern });
      continue;
    }
    const name = take(names);
    if (name !== undefined) {
      found.push({ kind: 'name', text: name });
      continue;
    }
    const number = take(NUMBER);
    if (number !== undefined) {
      found.push({ kind: 'number', text: number });
      continue;
    }
    if (/['"`]/.test(code[at] as string)) return undefined;
    const sign = take(SIGN);
    if (sign === undefined) return undefined;
    found.push({ kind: 'sign', text: sign });
  }
  return found;
}

/** Behind a value a slash divides. */
const endsValue = (token: Token | undefined): boolean =>
  token !== undefined &&
  ((token.kind === 'name' &&
    !/^(?:return|typeof|in|of|print|printf|and|or|not|if|unless|split|grep)$/.test(token.text)) ||
    token.kind === 'number' ||
    token.kind === 'text' ||
    token.text === ')' ||
    token.text === ']');

export const wordSet = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/).filter(Boolean));
