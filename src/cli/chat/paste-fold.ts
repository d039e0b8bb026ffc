/** Pastes longer than this many lines are shown as a mark. */
const MOST_LINES = 8;
const MOST_CHARS = 2_000;

export interface PasteWords {
  readonly lines: (count: number) => string;
  readonly chars: (count: number) => string;
}

export interface PasteFold {
  /**
   * The text itself when it is short, otherwise a mark that stands for it, such as `[paste: 200 lines]`.
   * `beside` is what it goes into: marks that are no longer there are forgotten.
   */
  fold(text: string, beside?: string): string;
  /** The text with every mark replaced by what it stands for. */
  expand(text: string): string;
  /** The mark that ends exactly here, if one does: it is deleted as a whole. */
  markBefore(text: string): string | undefined;
  forget(): void;
}

/** Keeps long pastes out of the editor until they are sent. */
export function pasteFold(words: PasteWords): PasteFold {
  const kept = new Map<string, string>();
  const label = (what: string): string => {
    for (let n = 1; ; n++) {
      const mark = n === 1 ? `[paste: ${what}]` : `[paste ${n}: ${what}]`;
      if (!kept.has(mark)) return mark;
    }
  };
  return {
    fold: (text, beside = '') => {
      for (const mark of kept.keys()) if (!beside.includes(mark)) kept.delete(mark);
      const lines = text.replace(/\n$/, '').split('\n').length;
      if (lines <= MOST_LINES && text.length <= MOST_CHARS) return text;
      const mark = label(lines > MOST_LINES ? words.lines(lines) : words.chars(text.length));
      kept.set(mark, text);
      return mark;
    },
    expand: (text) => {
      if (!kept.size) return text;
      const marks = [...kept.keys()].map((mark) => mark.replace(/[[\]]/g, '\\$&'));
      return text.replace(new RegExp(marks.join('|'), 'g'), (mark) => kept.get(mark) ?? mark);
    },
    markBefore: (text) => [...kept.keys()].find((mark) => text.endsWith(mark)),
    forget: () => kept.clear(),
  };
}

/** What a terminal pasted, as text: line ends made one kind, other controls dropped. */
export const cleanPaste = (raw: string): string =>
  raw
    .replace(/\r\n?/g, '\n')
    .replaceAll('\t', '    ')
    // oxlint-disable-next-line no-control-regex -- these are the ones to drop
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, '');
