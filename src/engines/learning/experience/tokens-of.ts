const PIECES = /[\p{L}\p{N}_.-]+|\s+|[^\s\p{L}\p{N}_.-]/gu;
const NAMES = /[A-Za-z0-9][A-Za-z0-9_.-]*/g;

/** A text in pieces that give it back when they are joined: words and names, white space, single signs. */
export const piecesOf = (text: string): string[] => text.match(PIECES) ?? [];

/** The pieces that are not white space. */
export const tokensOf = (text: string): string[] => piecesOf(text).filter((piece) => piece.trim());

/** Names and words of a task, in lower case; also such as stand between Chinese characters. */
export function namesIn(task: string): ReadonlySet<string> {
  const names = (task.match(NAMES) ?? []).map((name) => name.replace(/[._-]+$/, ''));
  const quoted = [...task.matchAll(/["'“‘「`]([^"'”’」`]{1,80})["'”’」`]/g)].map(([, text = '']) => text);
  return new Set([...names, ...quoted, ...tokensOf(task)].map((name) => name.toLowerCase()));
}

/** Whether a word is the name of one thing rather than a word of the language: `payment-api`, `v2.3.1`, `48`. */
export const isName = (token: string): boolean => /[A-Za-z0-9\p{L}][-_./:][A-Za-z0-9]|\d/u.test(token);
