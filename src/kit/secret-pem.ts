import type { FoundSecret } from './find-secrets.ts';

const BEGIN = /-----BEGIN ([A-Z0-9 ]{1,60})-----/y;
const FARTHEST = 32_768;
/** What the inside of a block is made of; line ends may be written as `\n`. */
const BODY = /(?:[A-Za-z0-9+/=\s:,.()@<>|-]|\\+[nrt])*/y;
/** Not the letter of an escape before it. */
const RUN = /(?:(?<=\\[nrt])|(?<![A-Za-z0-9+/=\\]))(?=[A-Za-z0-9+/=]*[A-Z0-9])[A-Za-z0-9+/=]{12,}/g;

/** Finds private keys, and gives back the blocks that are none: certificates and public keys are meant to be seen. */
export function findPrivateKeys(text: string, found: FoundSecret[]): FoundSecret[] {
  const plain: FoundSecret[] = [];
  for (let at = text.indexOf('-----BEGIN '); at !== -1; ) {
    BEGIN.lastIndex = at;
    const label = BEGIN.exec(text)?.[1];
    const inside = BEGIN.lastIndex;
    if (label === undefined) {
      at = text.indexOf('-----BEGIN ', at + 1);
      continue;
    }
    const closing = text.slice(inside, inside + FARTHEST).search(/-----(?:END|BEGIN) /);
    const end = closing === -1 ? bodyEnd(text, inside) : inside + closing;
    if (!/PRIVATE KEY/.test(label)) plain.push({ start: at, end, kind: 'block' });
    else found.push(...bodyOf(text, inside, end));
    at = text.indexOf('-----BEGIN ', Math.max(end, at + 1));
  }
  return plain;
}

function bodyEnd(text: string, from: number): number {
  BODY.lastIndex = from;
  return from + Math.min(FARTHEST, BODY.exec(text)?.[0].length ?? 0);
}

/** The lines of the block as one piece; where they stand in quotes of their own, each of them. */
function bodyOf(text: string, from: number, to: number): FoundSecret[] {
  const body = text.slice(from, to);
  const kind = 'private-key';
  if (/["']/.test(body)) {
    return [...body.matchAll(RUN)].map(({ 0: run, index }) => ({
      start: from + index,
      end: from + index + run.length,
      kind,
    }));
  }
  const lead = /^(?:\s|\\+[nrt])*/.exec(body)?.[0].length ?? 0;
  const tail = body.length - body.replace(/(?:\s|\\+[nrt])+$/, '').length;
  const start = from + lead;
  return to - tail > start && !body.slice(lead).startsWith('[secret:')
    ? [{ start, end: to - tail, kind }]
    : [];
}
