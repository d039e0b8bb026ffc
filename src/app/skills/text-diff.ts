import { createTwoFilesPatch } from 'diff';
import { showHidden } from '#kit/hidden-characters';

const LONGEST = 100_000;

interface FileText {
  readonly path: string;
  readonly text?: string | undefined;
}

/** The lines that differ between two states of some files, with nothing hidden in them. */
export function filesDiff(before: readonly FileText[], after: readonly FileText[]): string {
  const old = new Map(before.map(({ path, text }) => [path, text]));
  const fresh = new Map(after.map(({ path, text }) => [path, text]));
  const paths = [...new Set([...old.keys(), ...fresh.keys()])].toSorted();
  const whole = paths.map((path) => textDiff(path, old.get(path), fresh.get(path))).join('');
  return whole.length > LONGEST ? `${whole.slice(0, LONGEST)}\n…\n` : whole;
}

/** Undefined: there is no such file. */
export function textDiff(path: string, before: string | undefined, after: string | undefined): string {
  if (before === after) return '';
  const from = before === undefined ? '/dev/null' : `a/${path}`;
  const to = after === undefined ? '/dev/null' : `b/${path}`;
  const options = { context: 3, maxEditLength: 20_000 };
  const [old, fresh] = [showHidden(before ?? ''), showHidden(after ?? '')];
  const patch = createTwoFilesPatch(from, to, old, fresh, undefined, undefined, options);
  return patch?.replace(/^=+\n/, '') ?? `--- ${from}\n+++ ${to}\n(too different to show)\n`;
}
