import { TemplateError } from './parse-template.ts';
import { asText } from './look-up.ts';

/** Follows a command as it is written down, and puts values into it so that each stays what it is: a word. */
export interface ShellPlace {
  /** The author's own text. */
  read(text: string): void;
  /** A value, as it has to be written at this place. Throws where nothing can be put safely. */
  quoted(value: unknown, path: string): string;
}

type Mode = 'bare' | 'single' | 'double' | 'ansi' | 'comment';

/** Words that mean something to a shell where a command begins. */
const KEYWORDS = new Set(
  'if then else elif fi for while until do done case esac in function select time coproc'.split(' '),
);
const PLAIN = /^[A-Za-z0-9_./][A-Za-z0-9_@%+:,./-]*$/;

/** A program stands near its words; a long script is not looked through for every value in it. */
const MOST_LOOKED_AT = 1_000;
/** Programs that read what they are given as code: another shell, here or elsewhere, or a language. */
const READ_AGAIN: readonly RegExp[] = [
  /(?:^|\s|\/)eval\s/,
  /(?:^|\s|\/)(?:ba|da|a|z|k|fi)?sh\s(?:.*\s)?-[a-z]*c\s/,
  /(?:^|\s|\/)(?:su|runuser|script|flock)\s(?:.*\s)?(?:-c|--command)[\s=]/,
  /(?:^|\s|\/)(?:python[\d.]*|perl|ruby|node|php)\s(?:.*\s)?-[a-z]*[cer]\s/i,
  /(?:^|\s|\/)(?:[gm]?awk|watch|parallel)\s/,
  // After the host, everything is a command of the shell there.
  /(?:^|\s|\/)ssh\s+(?:-[46AaCfGgKkMNnqsTtVvXxYy]+\s+|-[BbcDEeFIiJLlmOoPpQRSWw]\s+\S+\s+)*[^\s-]\S*\s/,
];

/** The value of a variable is none of the code: `awk -v days=`. */
const IS_DATA = /(?:^|\s|\/)[gm]?awk(?:\s+-v\s+\w+=\S*)*\s+-v\s+\w+=$/;

/**
 * Knows the places that can be quoted with certainty: outside of quotes, and inside plain ones. Whatever lets the shell
 * read a word a second time (a substitution inside double quotes, backticks, arithmetic, `[[`, a here-document) is
 * refused, from there to the end of the command; so are the words of a program that hands them to another reader.
 */
export function shellPlace(): ShellPlace {
  let mode: Mode = 'bare';
  let escaped = false;
  let involved: string | undefined;
  /** What was read last; a value counts as a letter. */
  let last = '';
  /** The command so far, up to where it began; a value is a letter in it. */
  let command = '';

  const bare = (char: string): void => {
    const two = last + char;
    if (char === "'") mode = last === '$' ? 'ansi' : 'single';
    else if (char === '"') mode = 'double';
    else if (char === '#' && (last === '' || /[\s;|&(]/.test(last))) mode = 'comment';
    else if (char === '`') involved ??= 'backticks';
    else if (two === '((') involved ??= 'arithmetic';
    else if (two === '[[') involved ??= '[[';
    else if (two === '<<') involved ??= 'a here-document';
    else if (two === '${') involved ??= '${…} of the shell';
  };
  const double = (char: string): void => {
    if (char === '"') mode = 'bare';
    else if (char === '`' || (last === '$' && (char === '(' || char === '{'))) {
      involved ??= 'a substitution inside double quotes';
    }
  };
  const take = (char: string): void => {
    command = mode === 'bare' && !escaped && /[;|&\n(]/.test(char) ? '' : command + char;
    if (escaped) escaped = false;
    else if (char === '\\' && mode !== 'single' && mode !== 'comment') escaped = true;
    else if (mode === 'bare') bare(char);
    else if (mode === 'double') double(char);
    else if (mode === 'comment') mode = char === '\n' ? 'bare' : mode;
    else if (char === "'") mode = 'bare';
    last = char;
  };

  return {
    read: (text) => {
      for (const char of text) take(char);
    },
    quoted: (value, path) => {
      const refuse = (why: string): never => {
        throw new TemplateError(
          `{{${path}}} cannot be put into the command safely: ${why}; move it to where it is a word of its own`,
        );
      };
      if (involved) refuse(`it comes after ${involved}`);
      const before = command.slice(-MOST_LOOKED_AT);
      const again = !IS_DATA.test(before) && READ_AGAIN.some((pattern) => pattern.test(before));
      if (again) refuse('the program would read it as code; with three braces it goes there as it is');
      if (escaped) refuse('a backslash stands before it');
      if (last === '$') refuse('a $ stands before it');
      if (mode === 'ansi' || mode === 'comment')
        refuse(mode === 'comment' ? 'it is in a comment' : "it is inside $'…'");
      const items = Array.isArray(value) ? value.map(asText) : [asText(value)];
      if (items.some((item) => item.includes('\0'))) refuse('it has a NUL character');
      const apart = /^[\s=:/.,@-]?$/.test(last);
      last = 'x';
      command += 'x';
      if (mode === 'single') return items.join(' ').replaceAll("'", `'\\''`);
      if (mode === 'double') return items.join(' ').replaceAll(/["\\$`]/g, String.raw`\$&`);
      return items.map((item, i) => quoteWord(item, apart || i > 0)).join(' ');
    },
  };
}

/** One word of a POSIX shell. Right behind other text it is always quoted: it could be read as part of a variable. */
const quoteWord = (word: string, apart: boolean): string =>
  apart && PLAIN.test(word) && !KEYWORDS.has(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
