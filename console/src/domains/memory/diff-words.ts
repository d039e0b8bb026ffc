export interface DiffPiece {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** Beyond so many words in both, the whole is shown as changed: nobody reads a mixture of that length. */
const MOST_CELLS = 4_000_000;

/** Two texts as one, word by word. Characters of scripts without spaces stand each for themselves. */
export function diffWords(before: string, after: string): readonly DiffPiece[] {
  const [old, fresh] = [wordsOf(before), wordsOf(after)];
  let head = 0;
  while (head < old.length && head < fresh.length && old[head] === fresh[head]) head++;
  let tail = 0;
  const room = Math.min(old.length, fresh.length) - head;
  while (tail < room && old[old.length - 1 - tail] === fresh[fresh.length - 1 - tail]) tail++;
  const middle = between(old.slice(head, old.length - tail), fresh.slice(head, fresh.length - tail));
  return joined([
    { kind: 'same', text: old.slice(0, head).join('') },
    ...middle,
    { kind: 'same', text: tail ? old.slice(-tail).join('') : '' },
  ]);
}

const wordsOf = (text: string): string[] =>
  text.match(
    /\s+|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu,
  ) ?? [];

function between(old: readonly string[], fresh: readonly string[]): DiffPiece[] {
  if (old.length * fresh.length > MOST_CELLS)
    return [
      { kind: 'removed', text: old.join('') },
      { kind: 'added', text: fresh.join('') },
    ];
  const width = fresh.length + 1;
  // How many words the two have in common from here on, in order.
  const common = new Uint16Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = fresh.length - 1; j >= 0; j--)
      common[i * width + j] =
        old[i] === fresh[j]
          ? at(common, (i + 1) * width + j + 1) + 1
          : Math.max(at(common, (i + 1) * width + j), at(common, i * width + j + 1));
  const pieces: DiffPiece[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < fresh.length) {
    if (i < old.length && j < fresh.length && old[i] === fresh[j]) {
      pieces.push({ kind: 'same', text: old[i++] ?? '' });
      j++;
    } else if (
      j >= fresh.length ||
      (i < old.length && at(common, (i + 1) * width + j) >= at(common, i * width + j + 1))
    )
      pieces.push({ kind: 'removed', text: old[i++] ?? '' });
    else pieces.push({ kind: 'added', text: fresh[j++] ?? '' });
  }
  return pieces;
}

const at = (cells: Uint16Array, index: number): number => cells[index] ?? 0;

/** Neighbours of a kind as one. */
function joined(pieces: readonly DiffPiece[]): readonly DiffPiece[] {
  const result: DiffPiece[] = [];
  for (const piece of pieces) {
    const last = result.at(-1);
    if (!piece.text) continue;
    if (last?.kind === piece.kind) result[result.length - 1] = { ...last, text: last.text + piece.text };
    else result.push(piece);
  }
  return result;
}
