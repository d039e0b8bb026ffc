/** What a sentence is, up to the mark that ends it. */
const SENTENCE = /[^.!?。！？\n]+[.!?。！？]*/gu;
const ASKS = /[?？]\s*$/u;
const MOST_CHARS = 4_000;

/** How much of a text asks instead of telling, from 0 to 1. A question answers no other question. */
export function askingShare(text: string): number {
  const seen = text.slice(0, MOST_CHARS);
  if (!/[?？]/u.test(seen)) return 0;
  let all = 0;
  let asking = 0;
  for (const [sentence] of seen.matchAll(SENTENCE)) {
    if (!sentence.trim()) continue;
    all += sentence.length;
    if (ASKS.test(sentence)) asking += sentence.length;
  }
  return all > 0 ? asking / all : 0;
}
