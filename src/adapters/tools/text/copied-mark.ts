import { SECRET_MARK } from '#kit/find-secrets';

/**
 * Why a text may not be written: it holds more marks than before of those that stand where a secret was hidden from
 * whoever wrote it. Written back, such a mark would take the place of the secret.
 */
export function copiedMark(path: string, before: string | undefined, after: string): string | undefined {
  const copied = [...new Set(after.match(SECRET_MARK))].filter(
    (mark) => times(mark, after) > times(mark, before ?? ''),
  );
  if (copied.length === 0) return undefined;
  return [
    `Nothing was written: in ${path}, ${copied.join(', ')} would stand where a secret belongs. It is only what Hermes shows in its place.`,
    'Leave the lines with the secret as they are and patch the others, or refer to it by the name of a variable.',
  ].join('\n');
}

const times = (mark: string, text: string): number => text.split(mark).length - 1;
