/** The numbers of the tokens of a text, with the marks at its ends, never more than `most`. */
export type Tokenise = (text: string, most: number) => number[];

export interface WordPieceModel {
  readonly vocabulary: Readonly<Record<string, number>>;
  /** Whether words are looked up in lower case and without accents. */
  readonly lowercase: boolean;
}

const LONGEST_WORD = 100;
const CONTINUED = '##';
// oxlint-disable-next-line no-control-regex -- the characters that clean_text removes
const REMOVED = /[\0�\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}]/gu;
const SPACES = /[\t\n\r]/g;
/** The blocks that the model was trained to see as words of one character; kana and hangul are not among them. */
const IDEOGRAPHS =
  /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{2a6df}\u{2a700}-\u{2b81f}\u{2b820}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/gu;
const PUNCTUATION = /[!-/:-@[-`{-~\p{P}]/gu;
const ACCENTS = /\p{Mn}/gu;

/** BERT's way of cutting: clean, split at spaces, punctuation and ideographs, then the longest known pieces first. */
export function wordPiece({ vocabulary, lowercase }: WordPieceModel): Tokenise {
  const numbers = new Map(Object.entries(vocabulary));
  const [unknown, begin, end] = ['[UNK]', '[CLS]', '[SEP]'].map((mark) => numbers.get(mark));
  if (unknown === undefined || begin === undefined || end === undefined)
    throw new Error('the vocabulary has no [UNK], [CLS] or [SEP]');

  const pieces = (word: string): readonly number[] => {
    const characters = [...word];
    if (characters.length > LONGEST_WORD) return [unknown];
    const found: number[] = [];
    for (let start = 0; start < characters.length; ) {
      let stop = characters.length;
      let number: number | undefined;
      for (; stop > start; stop--) {
        const piece = characters.slice(start, stop).join('');
        number = numbers.get(start > 0 ? CONTINUED + piece : piece);
        if (number !== undefined) break;
      }
      if (number === undefined) return [unknown];
      found.push(number);
      start = stop;
    }
    return found;
  };

  return (text, most) => {
    const tokens = [begin];
    for (const word of words(text, lowercase)) {
      tokens.push(...pieces(word));
      if (tokens.length >= most) break;
    }
    tokens.length = Math.min(tokens.length, most - 1);
    tokens.push(end);
    return tokens;
  };
}

function words(text: string, lowercase: boolean): string[] {
  const clean = text.replace(SPACES, ' ').replace(REMOVED, '').replace(IDEOGRAPHS, ' $& ');
  const plain = lowercase ? clean.normalize('NFD').replace(ACCENTS, '').toLowerCase() : clean;
  return plain.replace(PUNCTUATION, ' $& ').split(/\s+/u).filter(Boolean);
}
