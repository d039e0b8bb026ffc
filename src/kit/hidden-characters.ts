/** Characters that take no room or turn the reading direction: what they hide, a reader should see. */
const HIDDEN = /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]/gu;

/** Zero-width joiners belong inside emoji and some scripts; alone between letters they hide something. */
const JOINED_EMOJI = /(?<=\p{Extended_Pictographic}\ufe0f?)\u200d(?=\p{Extended_Pictographic})/gu;

const mark = (char: string): string => `⟪U+${(char.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}⟫`;

/** The text with hidden and bidirectional control characters written out. */
export function showHidden(text: string): string {
  const kept = text.replace(JOINED_EMOJI, '\u0001');
  return kept.replace(HIDDEN, mark).replaceAll('\u0001', '\u200d');
}

export const hasHidden = (text: string): boolean => showHidden(text) !== text;
