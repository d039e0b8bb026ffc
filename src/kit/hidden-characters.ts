/**
 * Controls, direction marks, zero-width and tag characters, odd line separators: what they hide, a reader should see.
 * Joiners stay where they hold an emoji together, and variation selectors everywhere: they hide nothing.
 */
const HIDDEN =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class
  /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]|(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d|\u200d(?!\p{Extended_Pictographic})/gu;

const MARK = /⟪U\+([0-9A-F]{4,6})⟫/g;

/** Writes characters that cannot be seen as `⟪U+202E⟫`, so that they can neither hide nor reorder anything. */
export function showHidden(text: string): string {
  return text.replace(HIDDEN, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `⟪U+${code}⟫`;
  });
}

/** The other way round, for text that was copied from what `showHidden` gave. */
export function restoreHidden(text: string): string {
  return text.replace(MARK, (mark, code: string) => {
    const point = Number.parseInt(code, 16);
    return point <= 0x10_ff_ff ? String.fromCodePoint(point) : mark;
  });
}

/** The text without them. */
export const dropHidden = (text: string): string => text.replace(HIDDEN, '');

export const hasHidden = (text: string): boolean => showHidden(text) !== text;
