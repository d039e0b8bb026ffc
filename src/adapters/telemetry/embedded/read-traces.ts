import type { SpanRecord, Topology } from '#spec/data';
import type { TelemetryScope, TracesSource } from '#spec/ports';
import { windowMs } from '../wire/time-window.ts';
import type { Database } from './open-file.ts';

interface SpanRow {
  readonly trace: string;
  readonly span: string;
  readonly parent: string | null;
  readonly service: string;
  readonly operation: string;
  readonly start: number;
  readonly duration: number;
  readonly error: number;
  readonly status: string | null;
  readonly peer: string | null;
  readonly attributes: string | null;
}

interface TraceRow {
  readonly trace: string;
  readonly error: number;
}

/** Where there are more traces than fit, those with errors leave this part for the others, to compare with. */
const FOR_OTHERS = 0.4;
const TRACES_FOR_TOPOLOGY = 600;

/** Whole traces over the stored spans. */
export function tracesSource(db: Database): TracesSource {
  const spansOf = db.prepare<[string], SpanRow>('SELECT * FROM spans WHERE trace = ? ORDER BY start, span');

  const tracesOf = ({ window, services }: TelemetryScope): TraceRow[] => {
    const { from, to } = windowMs(window);
    if (services && !services.length) return [];
    const named = services ? `AND (${services.map(() => 'instr(services, ?) > 0').join(' OR ')})` : '';
    return db
      .prepare<unknown[], TraceRow>(
        `SELECT trace, error FROM traces WHERE start BETWEEN ? AND ? ${named} ORDER BY start`,
      )
      .all(from, to, ...(services ?? []).map((service) => `\n${service}\n`));
  };

  return {
    name: 'embedded',
    async spans({ errorsOnly = false, ...scope }, signal) {
      signal.throwIfAborted();
      const began = performance.now();
      const found = tracesOf(scope);
      const bad = found.filter(({ error }) => error);
      const others = errorsOnly ? [] : found.filter(({ error }) => !error);
      const items: SpanRecord[] = [];
      const take = (traces: readonly TraceRow[], until: number): number => {
        let taken = 0;
        for (const { trace } of inAllTimes(traces)) {
          const spans = spansOf.all(trace);
          if (items.length + spans.length > until) break;
          items.push(...spans.map(recordOf));
          taken += 1;
        }
        return taken;
      };
      const forBad = others.length ? Math.ceil(scope.limit * (1 - FOR_OTHERS)) : scope.limit;
      const taken = take(bad, forBad) + take(others, scope.limit);
      const ms = Math.round(performance.now() - began);
      const query = queryOf(scope, errorsOnly);
      return { items, asked: [{ query, found: items.length, ms }], cut: taken < bad.length + others.length };
    },
    async topology(scope, signal): Promise<Topology> {
      signal.throwIfAborted();
      const traces = inAllTimes(tracesOf(scope)).slice(0, TRACES_FOR_TOPOLOGY);
      const edges = new Map<string, Topology['edges'][number]>();
      for (const { trace } of traces) {
        for (const edge of edgesOf(spansOf.all(trace))) edges.set(`${edge.from}\n${edge.to}`, edge);
        if (edges.size >= scope.limit) break;
      }
      return { edges: [...edges.values()].slice(0, scope.limit) };
    },
  };
}

/** The first, the last, the middle, the quarters, …: a part of the list, however short, is of all its times. */
function inAllTimes<T>(list: readonly T[]): T[] {
  const golden = 0.618_033_988_75;
  return list
    .map((item, at) => ({ item, place: (at * golden) % 1 }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

function queryOf({ services }: TelemetryScope, errorsOnly: boolean): string {
  const parts = [
    ...(services?.length ? [`service=${services.map((service) => JSON.stringify(service)).join('|')}`] : []),
    ...(errorsOnly ? ['error="true"'] : []),
  ];
  return `traces{${parts.join(',')}}`;
}

/** Calls between services; a call whose other end sends no spans counts by the name that the caller gives it. */
function edgesOf(spans: readonly SpanRow[]): Topology['edges'] {
  const byId = new Map(spans.map((span) => [span.span, span]));
  const edges: Topology['edges'] = [];
  const answered = new Set<string>();
  for (const { parent, service } of spans) {
    const caller = parent === null ? undefined : byId.get(parent);
    if (!caller || caller.service === service) continue;
    answered.add(caller.span);
    edges.push({ from: caller.service, to: service });
  }
  for (const { span, service, peer } of spans) {
    if (peer !== null && peer !== service && !answered.has(span)) edges.push({ from: service, to: peer });
  }
  return edges;
}

const recordOf = (row: SpanRow): SpanRecord => ({
  traceId: row.trace,
  spanId: row.span,
  parentId: row.parent,
  service: row.service,
  operation: row.operation,
  start: row.start / 1_000,
  durationMs: row.duration,
  ...(row.error ? { error: true } : {}),
  ...(row.status === null ? {} : { status: JSON.parse(row.status) as string | number }),
  ...(row.attributes === null ? {} : { attributes: JSON.parse(row.attributes) as Record<string, unknown> }),
});
