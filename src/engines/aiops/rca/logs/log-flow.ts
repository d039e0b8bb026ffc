import type { CallGraph } from '../call-graph.ts';
import { discountCallers } from '../discount-callers.ts';
import { type Finding, MAY_BE_CHANCE, soft } from '../finding.ts';
import { countChance } from '../series/chances.ts';
import type { IndexedSpan, Side, TraceIndex } from '../traces/trace-index.ts';
import { incidentWindow, type Windows } from '../windows.ts';
import { saysOtherwise } from '../words.ts';
import type { ReadLine } from './read-lines.ts';
import { soundsBad } from './sounds-bad.ts';

/** A fault may begin late in the window or end before it does: whole, its later half, its earlier half. */
const PARTS: readonly (readonly [number, number])[] = [
  [0, 1],
  [1 / 2, 1],
  [0, 1 / 2],
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
  const statements = [...statementsOf(lines, traces).values()];
  const found = statements.flatMap((statement) => {
    const exposed = calls.get(`${statement.service}\n${statement.operation}`);
    return exposed ? judged(statement, exposed, statements.length * PARTS.length, windows) : [];
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
  asked: number,
  windows: Windows,
): Finding[] {
  const before = { wrote: writers.before.size, calls: calls.before.length };
  const [found] = PARTS.map(([from, to]) => {
    const part = calls.during.slice(
      Math.floor(calls.during.length * from),
      Math.ceil(calls.during.length * to),
    );
    const during = { wrote: part.filter((call) => writers.during.has(call)).length, calls: part.length };
    return { during, ...compare(before, during, bad) };
  })
    .filter(({ chance }) => chance * asked < MAY_BE_CHANCE)
    .toSorted((one, other) => one.chance - other.chance);
  if (!found) return [];
  return [
    {
      source: 'log_flow',
      service,
      strength: soft(found.effect, Math.PI),
      chance: found.chance * asked,
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

/** How much more, or less, of the calls wrote it (Cohen's h: π from always to never), and how likely by chance. */
function compare(before: Share, during: Share, more: boolean): { effect: number; chance: number } {
  const hits = ({ wrote, calls }: Share): { hits: number; of: number } => ({
    hits: more ? wrote : calls - wrote,
    of: calls,
  });
  const change = angle(during) - angle(before);
  return { effect: more ? change : -change, chance: countChance(hits(before), hits(during)) };
}
