import type { CallGraph } from '../call-graph.ts';
import { discountCallers } from '../discount-callers.ts';
import { type Finding, HALF, soft } from '../finding.ts';
import { FEWEST, LEAST_SIGMAS } from '../metrics/measure-change.ts';
import type { IndexedSpan, Side, TraceIndex } from '../traces/trace-index.ts';
import { incidentWindow, type Windows } from '../windows.ts';
import { saysOtherwise } from '../words.ts';
import type { ReadLine } from './read-lines.ts';
import { soundsBad } from './sounds-bad.ts';

/** Cohen's h: 0.8 is what the literature calls large. A statement that always ran and now never does has 3.14. */
const LEAST_EFFECT = 0.8;

/** A fault may begin late in the window or end before it does: whole, its later half, its earlier half. */
const PARTS: readonly (readonly [number, number])[] = [
  [0, 1],
  [HALF, 1],
  [0, HALF],
];

interface Statement {
  readonly service: string;
  readonly operation: string;
  readonly template: string;
  readonly bad: boolean;
  /** The calls that wrote it. */
  readonly writers: Record<Side, Set<IndexedSpan>>;
}

/**
 * Statements that a call used to reach and no longer does, and complaints that calls did not make before: counted for
 * each operation by call, so that more or other traffic changes nothing. Statements that are new but no complaint, and
 * complaints that went away, are not held against a service.
 */
export function logFlowFindings(
  lines: readonly ReadLine[],
  traces: TraceIndex,
  graph: CallGraph,
  windows: Windows,
): Finding[] {
  const calls = new Map<string, Record<Side, IndexedSpan[]>>();
  for (const indexed of traces.spans) {
    const key = `${indexed.span.service}\n${indexed.span.operation}`;
    const known = calls.get(key) ?? { before: [], during: [] };
    known[indexed.side].push(indexed);
    calls.set(key, known);
  }
  for (const { during } of calls.values()) during.sort((one, other) => one.span.start - other.span.start);
  const found = [...statementsOf(lines, traces).values()].flatMap((statement) => {
    const exposed = calls.get(`${statement.service}\n${statement.operation}`);
    return exposed ? judged(statement, exposed, windows) : [];
  });
  return discountCallers(found, graph);
}

function statementsOf(lines: readonly ReadLine[], traces: TraceIndex): Map<string, Statement> {
  const statements = new Map<string, Statement>();
  for (const { line, template } of lines) {
    const { traceId, spanId, message, level } = line;
    const indexed = traces.find(traceId, spanId);
    if (!indexed) continue;
    const { service, operation } = indexed.span;
    const key = `${service}\n${operation}\n${template}`;
    const statement = statements.get(key) ?? {
      service,
      operation,
      template,
      bad: soundsBad(message, level),
      writers: { before: new Set(), during: new Set() },
    };
    // A loop writes one statement many times for one call.
    statement.writers[indexed.side].add(indexed);
    statements.set(key, statement);
  }
  return statements;
}

function judged(
  { service, operation, template, bad, writers }: Statement,
  calls: Record<Side, readonly IndexedSpan[]>,
  windows: Windows,
): Finding[] {
  if (calls.before.length < FEWEST) return [];
  const before = { wrote: writers.before.size, calls: calls.before.length };
  const [found] = PARTS.map(([from, to]) => {
    const part = calls.during.slice(
      Math.floor(calls.during.length * from),
      Math.ceil(calls.during.length * to),
    );
    const during = { wrote: part.filter((call) => writers.during.has(call)).length, calls: part.length };
    return { during, ...compare(before, during) };
  })
    .filter(
      ({ during, effect, sigmas, rose }) =>
        during.calls > 1 && rose === bad && effect >= LEAST_EFFECT && sigmas >= LEAST_SIGMAS,
    )
    .toSorted((one, other) => strengthOf(other) - strengthOf(one));
  if (!found) return [];
  return [
    {
      source: 'log_flow',
      service,
      strength: strengthOf(found),
      category: 'service_fault',
      evidence: {
        kind: 'log',
        service,
        summary: saysOtherwise({ operation, service, template }, bad, { during: found.during, before }),
        query: `logs{service="${service}"} |= "${template}" by span`,
        window: incidentWindow(windows),
        baseline: before.wrote / before.calls,
        during: found.during.wrote / found.during.calls,
      },
    },
  ];
}

interface Share {
  readonly wrote: number;
  readonly calls: number;
}

const angle = ({ wrote, calls }: Share): number =>
  2 * Math.asin(Math.sqrt(Math.min(1, wrote / Math.max(1, calls))));

function compare(before: Share, during: Share): { effect: number; sigmas: number; rose: boolean } {
  const change = angle(during) - angle(before);
  const effect = Math.abs(change);
  return {
    effect,
    sigmas: effect / Math.sqrt(1 / before.calls + 1 / Math.max(1, during.calls)),
    rose: change > 0,
  };
}

const strengthOf = ({ effect, sigmas }: { effect: number; sigmas: number }): number =>
  soft(effect - LEAST_EFFECT, 2 * LEAST_EFFECT) * soft(sigmas, LEAST_SIGMAS);
