const SPACE = /[ \t]+/y;
const WORD = /(?:[\w./:@%+,=-]|'[^'\p{Cc}]*'|"[^"$`\\!\p{Cc}]*")+/uy;
const BETWEEN = /&&|\|\||;|\|(?!&)/y;

/** What is longer than a person reads is not plain. */
const MOST_CHARS = 4_000;

/** Words that make a shell read what follows as something else than a command. */
const KEYWORDS = new Set(
  'if then elif else fi for while until do done case esac in select function time coproc'.split(' '),
);

/**
 * The simple commands of a line that has nothing else in it: literal words, joined by `&&`, `||`, `;` and `|`. Undefined
 * for a line with anything that a shell would expand, redirect, assign or nest: what a grant names must be all there is.
 */
export function plainCommands(text: string): string[][] | undefined {
  if (text.length > MOST_CHARS) return undefined;
  const commands: string[][] = [[]];
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const [found] = pattern.exec(text) ?? [];
    at += found?.length ?? 0;
    return found;
  };
  while (at < text.length) {
    if (take(SPACE) !== undefined) continue;
    const raw = take(WORD);
    if (raw !== undefined) commands.at(-1)?.push(unquote(raw));
    else if (take(BETWEEN) !== undefined) commands.push([]);
    else return undefined;
  }
  return commands.every(isCommand) ? commands : undefined;
}

const unquote = (raw: string): string =>
  raw.replace(/'([^']*)'|"([^"]*)"/g, (_, a?: string, b?: string) => a ?? b ?? '');

const isCommand = ([name = '']: readonly string[]): boolean =>
  name !== '' && !name.includes('=') && !KEYWORDS.has(name);
