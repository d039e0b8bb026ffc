import type { Evidence, Rca } from '#spec/data';
import { dropHidden } from '#kit/hidden-characters';
import { redact } from '#kit/redact';
import type { Spoken } from '#kit/text';
import { showNumber } from './rca/show-number.ts';

const MOST_EVIDENCE = 40;
const LONGEST_LINE = 300;

/** A fence around words of others: `plain` leaves nothing in them that could end it. */
export const block = (name: string, lines: readonly string[]): string =>
  `<${name}>\n${lines.join('\n')}\n</${name}>`;

/** One line without anything that hides, reorders, opens or closes a mark. */
export const plain = (text: string): string =>
  redact(dropHidden(text)).replace(/</g, '‹').replace(/>/g, '›').replace(/\s+/g, ' ').slice(0, LONGEST_LINE);

/** What is cited comes first. */
export function listed({ evidence, hypotheses }: Spoken<Rca>): Spoken<Evidence>[] {
  const cited = new Set(hypotheses.flatMap(({ supports, refutes }) => [...supports, ...refutes]));
  return [
    ...evidence.filter(({ id }) => cited.has(id)),
    ...evidence.filter(({ id }) => !cited.has(id)),
  ].slice(0, MOST_EVIDENCE);
}

export function evidenceLine({ id, kind, service, summary, baseline, during, at }: Spoken<Evidence>): string {
  const numbers =
    baseline === undefined || during === undefined
      ? ''
      : ` (${showNumber(baseline)} → ${showNumber(during)})`;
  const since = at === undefined ? '' : ` since ${at}`;
  return `[${id}] ${kind}${service === undefined ? '' : ` of ${plain(service)}`}: ${plain(summary)}${numbers}${since}`;
}
