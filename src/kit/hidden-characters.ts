/**
 * Characters that take no room or turn the reading direction: what they hide, a reader should see. A joiner inside an
 * emoji hides nothing and is matched as `joined`; alone between letters it does.
 */
const HIDDEN =
  /(?<joined>(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?)\u200d(?=\p{Extended_Pictographic}))|[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]/gu;

const mark = (char: string): string =>
  `⟪U+${(char.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}⟫`;

/** The text with hidden and bidirectional control characters written out. */
export function showHidden(text: string): string {
  return text.replace(HIDDEN, (char, joined?: string) => joined ?? mark(char));
}

/** The text without them. */
export function dropHidden(text: string): string {
  return text.replace(HIDDEN, (_, joined?: string) => joined ?? '');
}

export const hasHidden = (text: string): boolean => showHidden(text) !== text;
