import { createTwoFilesPatch } from 'diff';
import { showHidden } from '#kit/hidden-characters';
import { redact } from '#kit/redact';

const LONGEST = 60_000;

/** The lines that differ, without credentials and with nothing hidden in them; empty where nothing does. */
export function unifiedDiff(
  name: string,
  before: string,
  after: string,
  secrets: readonly string[] = [],
): string {
  if (before === after) return '';
  const clean = (text: string) => showHidden(redact(text, secrets));
  const options = { context: 3, maxEditLength: 20_000 };
  const patch = createTwoFilesPatch(
    `a/${name}`,
    `b/${name}`,
    clean(before),
    clean(after),
    undefined,
    undefined,
    options,
  );
  const text = patch?.replace(/^=+\n/, '') ?? `--- a/${name}\n+++ b/${name}\n(too different to show)\n`;
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}\n…\n` : text;
}
