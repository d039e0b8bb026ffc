/**
 * Controls that act on a terminal: C0 but newline and tab, DEL, C1, line and paragraph separators,
 * and everything that changes the direction of what follows.
 */
// oxlint-disable-next-line no-control-regex -- these are the ones to find
const ACTIVE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Text from models, tools and files with nothing left in it that a terminal would obey: controls become visible marks. */
export function safeText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(ACTIVE, mark);
}

function mark(char: string): string {
  const code = char.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}

/** The same in one line: newlines and tabs become spaces. */
export const safeLine = (text: string): string => safeText(text.replace(/\s*[\r\n]+\s*|\t+/g, ' ')).trim();
