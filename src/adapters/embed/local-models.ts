/** A model that is run on this machine, and the way in which it wants to be used. */
export interface LocalModel {
  /** Also the name of its folder. */
  readonly space: string;
  readonly dimensions: number;
  /** Texts are cut off after so many tokens. */
  readonly mostTokens: number;
  readonly lowercase: boolean;
  /** What stands for the whole text: the mean of all its tokens, or the mark at its beginning. */
  readonly pooling: 'mean' | 'first';
}

export const ENGLISH: LocalModel = {
  space: 'minilm-l6-v2-q8',
  dimensions: 384,
  mostTokens: 256,
  lowercase: true,
  pooling: 'mean',
};

export const CHINESE: LocalModel = {
  space: 'bge-small-zh-v1.5-q8',
  dimensions: 512,
  mostTokens: 256,
  lowercase: false,
  pooling: 'first',
};

const HAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu;
const WORDS = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}]+/gu;
/** Two characters make a word, more or less. */
const HAN_A_WORD = 2;
const MOST_CHARS = 2_000;

/** The model that knows the script in which most of a text is written. */
export function modelFor(text: string): LocalModel {
  const seen = text.slice(0, MOST_CHARS);
  const han = (seen.match(HAN)?.length ?? 0) / HAN_A_WORD;
  return han > (seen.match(WORDS)?.length ?? 0) ? CHINESE : ENGLISH;
}
