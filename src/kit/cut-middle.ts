/** A text of at most `limit` characters: 40 % of its start and 60 % of its end, with a line that says what is gone. */
export function cutMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const note = `\n[… ${(text.length - limit).toLocaleString('en')} characters left out …]\n`;
  const room = Math.max(0, limit - note.length);
  const head = Math.floor(room * 0.4);
  return text.slice(0, head) + note + text.slice(text.length - (room - head));
}
