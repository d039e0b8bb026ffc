interface Recalling {
  /** What was said, oldest first. */
  readonly said: readonly string[];
  /** Which of them is shown; absent while somebody writes something new. */
  readonly place: number | undefined;
  readonly value: string;
  readonly key: 'ArrowUp' | 'ArrowDown';
  readonly selectionStart: number;
  readonly selectionEnd: number;
}

/** What the arrows bring back, where they are not needed for moving about in the text. */
export function recall(
  asked: Recalling,
): { readonly place: number | undefined; readonly text: string } | undefined {
  const { said, place, value, key, selectionStart, selectionEnd } = asked;
  if (selectionStart !== selectionEnd || said.length === 0) return undefined;
  if (place === undefined && value !== '') return undefined;
  if (key === 'ArrowUp') {
    if (value.slice(0, selectionStart).includes('\n')) return undefined;
    const before = (place ?? said.length) - 1;
    const text = said[before];
    return text === undefined ? undefined : { place: before, text };
  }
  if (place === undefined || value.slice(selectionEnd).includes('\n')) return undefined;
  const text = said[place + 1];
  return text === undefined ? { place: undefined, text: '' } : { place: place + 1, text };
}
