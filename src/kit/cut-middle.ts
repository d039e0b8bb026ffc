/** A text of at most `limit` characters: 40 % of its start and 60 % of its end, with a line that says what is gone. */
export function cutMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const note = (count: number) => `\n[… ${count.toLocaleString('en')} characters left out …]\n`;
  const room = limit - note(text.length).length;
  if (room < 0) return text.slice(0, limit).toWellFormed();
  const head = text.slice(0, Math.floor(room * 0.4));
  const tail = text.slice(text.length - (room - head.length));
  // A pair of surrogates that was torn apart would be refused by vendors.
  return (head + note(text.length - room) + tail).toWellFormed();
}
