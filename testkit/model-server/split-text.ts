/** Cuts text into pieces of `size` characters, never inside a character. Empty text gives no piece. */
export function splitText(text: string, size: number): readonly string[] {
  const characters = [...text];
  const pieces: string[] = [];
  for (let at = 0; at < characters.length; at += size) pieces.push(characters.slice(at, at + size).join(''));
  return pieces;
}
