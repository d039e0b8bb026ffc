import type { Evidence, EvidenceResult, LogLine, Telemetry } from '#spec/data';
import { type ReadLine, readLines } from '../logs/read-lines.ts';
import { LONGEST } from '../logs/template-of.ts';
import { seconds, windowsOf } from '../windows.ts';

/** More lines, or spans, show nothing more. */
export const MOST_EXAMPLES = 50;
const QUERY = /^logs(?:\{service="(.*?)"\})? \|= "(.*?)"(?: by span)?$/s;

/** Finds the lines behind evidence. What only the alert says is shown as a line of the alert. */
export function logSlices(telemetry: Telemetry): (evidence: Evidence) => EvidenceResult | undefined {
  let read: readonly ReadLine[] | undefined;
  let served: ReadonlyMap<string, string> | undefined;
  return (evidence) => {
    const [, service, text] = QUERY.exec(evidence.query) ?? [];
    if (text === undefined) return undefined;
    read ??= readLines(telemetry.logs, windowsOf(telemetry.bundle));
    served ??= new Map(telemetry.spans.map((span) => [`${span.traceId} ${span.spanId}`, span.service]));
    const isOf = ({ line }: ReadLine): boolean =>
      service === undefined ||
      line.service === service ||
      served?.get(`${line.traceId} ${line.spanId}`) === service;
    const same = read.filter((entry) => entry.template === text && isOf(entry));
    const lines = same.length
      ? same
      : read.filter((entry) => entry.line.message.startsWith(text) && isOf(entry));
    return lines.length ? { lines: sample(lines) } : saidByAlert(telemetry, text);
  };
}

/** Half of each side, the earliest; what one side does not fill is the other's. */
function sample(entries: readonly ReadLine[]): LogLine[] {
  const side = (wanted: ReadLine['side']): LogLine[] =>
    entries
      .filter((entry) => entry.side === wanted)
      .map(({ line }) => line)
      .toSorted((one, other) => one.time - other.time);
  const [before, during] = [side('before'), side('during')];
  const most = Math.max(MOST_EXAMPLES / 2, MOST_EXAMPLES - before.length);
  const kept = during.slice(0, most);
  return [...before.slice(0, MOST_EXAMPLES - kept.length), ...kept];
}

function saidByAlert({ bundle }: Telemetry, text: string): EvidenceResult | undefined {
  const said = [bundle.title, ...Object.values(bundle.annotations)].find((part) => part.includes(text));
  if (said === undefined) return undefined;
  const at = said.indexOf(text);
  const message = said.slice(Math.max(0, at - LONGEST), at + text.length + LONGEST);
  return { lines: [{ time: seconds(bundle.startsAt), service: ALERT, message }] };
}

/** Stands for the alert where a line has the name of a service. */
export const ALERT = 'alert';
