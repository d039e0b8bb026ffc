import { MARK } from './command-script.ts';

export interface Mark {
  readonly word: string;
  readonly rest: string;
}

/**
 * Takes the marks of one command out of its error stream, wherever the pieces of the stream were cut. Text that only
 * looks like a mark comes out as it went in.
 */
export function splitMarks(
  token: string,
  onMark: (mark: Mark) => void,
): { take(text: string): string; rest(): string } {
  const opening = `${MARK}${token} `;
  let held = '';
  let eatsNewline = false;

  const take = (text: string): string => {
    let input = held + text;
    let out = '';
    held = '';
    while (input) {
      if (eatsNewline) {
        eatsNewline = false;
        if (input.startsWith('\n')) input = input.slice(1);
        continue;
      }
      const begin = input.indexOf(MARK);
      if (begin < 0) return out + input;
      out += input.slice(0, begin);
      input = input.slice(begin);
      if (!input.startsWith(opening.slice(0, input.length))) {
        out += MARK;
        input = input.slice(1);
        continue;
      }
      const end = input.indexOf(MARK, opening.length);
      if (end < 0) {
        held = input;
        return out;
      }
      const body = input.slice(opening.length, end);
      const [word = '', ...rest] = body.split(' ');
      onMark({ word, rest: rest.join(' ') });
      eatsNewline = true;
      input = input.slice(end + 1);
    }
    return out;
  };

  return {
    take,
    rest: () => {
      const left = held;
      held = '';
      return left;
    },
  };
}
