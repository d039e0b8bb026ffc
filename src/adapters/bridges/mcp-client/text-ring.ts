/** Keeps the end of a text that may never end. */
export interface TextRing {
  add(text: string): void;
  text(): string;
}

export function textRing(limit: number): TextRing {
  let kept = '';
  return {
    add(text) {
      kept = (kept + text.slice(-limit)).slice(-limit);
    },
    text: () => kept.toWellFormed(),
  };
}
