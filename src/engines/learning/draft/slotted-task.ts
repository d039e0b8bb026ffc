import { isName, piecesOf } from '../experience/tokens-of.ts';

/** A task as an example for others: values of slots by their names, other names and addresses left out. */
export function slottedTask(task: string, values: ReadonlyMap<string, string>): string {
  const line = task.split('\n').find((part) => part.trim()) ?? '';
  let text = line
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[`<>{}[\]|*#]/g, '');
  for (const [slot, value] of [...values].toSorted(([, a], [, b]) => b.length - a.length)) {
    const pattern = new RegExp(`(?<![A-Za-z0-9])${escaped(value)}(?![A-Za-z0-9])`, 'gi');
    text = text.replaceAll(pattern, `<${slot}>`);
  }
  return text
    .split(/(<[a-z][a-z0-9_]*>)/)
    .map((part, at) =>
      at % 2
        ? part
        : piecesOf(part)
            .map((piece) => (isName(piece) ? '…' : piece))
            .join(''),
    )
    .join('')
    .slice(0, 160)
    .trim();
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
