import { machineName } from '#kit/machine-name';
import type { Evidence, EvidenceResult, SpanRecord, Telemetry } from '#spec/data';
import { errorOrigin } from '../traces/error-origin.ts';
import { type IndexedSpan, indexTraces, type TraceIndex, uncoveredMs } from '../traces/trace-index.ts';
import { windowsOf } from '../windows.ts';
import { MOST_EXAMPLES } from './log-slice.ts';

const FAILED = /^spans\{service="(.*)", error=true\} without failed children$/s;
const BETWEEN = /^spans\{service="(.*?)"\} minus child spans\{service="(.*)"\}$/s;
const PART = /^spans\{service="(.*?)", (\w+)="(.*)"\}$/s;
const SELF = /^spans\{service="(.*?)", operation="(.*)"\} self time$/s;

/** Finds the spans behind evidence, with the children that belong to the claim. */
export function traceSlices(telemetry: Telemetry): (evidence: Evidence) => EvidenceResult | undefined {
  let index: TraceIndex | undefined;
  return ({ query }) => {
    index ??= indexTraces(telemetry.spans, windowsOf(telemetry.bundle));
    const groups = find(index.spans, query);
    const spans = groups && spread(groups);
    return spans?.length ? { spans } : undefined;
  };
}

/** One example of the claim: the span and what it is compared with. */
interface Example {
  readonly side: IndexedSpan['side'];
  readonly spans: readonly SpanRecord[];
  readonly ms: number;
}

function find(spans: readonly IndexedSpan[], query: string): Example[] | undefined {
  const [, failed] = FAILED.exec(query) ?? [];
  if (failed !== undefined)
    return spans
      .filter((indexed) => errorOrigin(indexed) === failed)
      .map(({ span, side }) => ({ side, spans: [span], ms: span.durationMs }));
  const [, caller, callee] = BETWEEN.exec(query) ?? [];
  if (caller !== undefined)
    return spans.flatMap(({ span, side, children }) => {
      const [only] = children;
      if (span.service !== caller || children.length !== 1 || !only || only.service !== callee) return [];
      return [{ side, spans: [span, only], ms: uncoveredMs(span, [only]) }];
    });
  const [, service, operation] = SELF.exec(query) ?? [];
  if (service === undefined) return partOf(spans, query);
  return spans
    .filter(({ span }) => span.service === service && span.operation === operation)
    .map(({ span, side, children }) => ({
      side,
      spans: [span, ...children.slice(0, 2)],
      ms: uncoveredMs(span, children),
    }));
}

/** Calls of a service to one that sends no spans, or its requests on one machine. */
function partOf(spans: readonly IndexedSpan[], query: string): Example[] | undefined {
  const [, service, key, name] = PART.exec(query) ?? [];
  if (service === undefined) return undefined;
  const nameOf = ({ span, unseen }: IndexedSpan): string | undefined =>
    key === 'peer' ? unseen?.callee : machineName(span.attributes ?? {});
  return spans
    .filter((indexed) => indexed.span.service === service && nameOf(indexed) === name)
    .map(({ span, side }) => ({ side, spans: [span], ms: span.durationMs }));
}

/** From the quickest to the slowest in even steps, half from each window: the middle of the sample is that of all. */
function spread(examples: readonly Example[]): SpanRecord[] {
  const largest = Math.max(1, ...examples.map(({ spans }) => spans.length));
  const room = Math.floor(MOST_EXAMPLES / largest);
  const side = (wanted: Example['side']): Example[] =>
    examples.filter((example) => example.side === wanted).toSorted((one, other) => one.ms - other.ms);
  const [before, during] = [side('before'), side('during')];
  const second = evenly(during, Math.max(Math.floor(room / 2), room - before.length));
  return [...evenly(before, room - second.length), ...second].flatMap(({ spans }) => spans);
}

function evenly<T>(items: readonly T[], most: number): T[] {
  if (items.length <= most) return [...items];
  return Array.from(
    { length: most },
    (_, at) => items[Math.floor(((2 * at + 1) * items.length) / (2 * most))] as T,
  );
}
