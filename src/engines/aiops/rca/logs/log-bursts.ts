import type { CallGraph } from '../call-graph.ts';
import { discountCallers } from '../discount-callers.ts';
import { type Finding, soft } from '../finding.ts';
import type { Side } from '../traces/trace-index.ts';
import { incidentWindow, instant, type Windows } from '../windows.ts';
import { wrote } from '../words.ts';
import type { ReadLine } from './read-lines.ts';
import { soundsBad } from './sounds-bad.ts';

const LEAST_SIGMAS = 4;
const HALF_FOLD = Math.log(4);
const HALF_COUNT = 10;
/** An exception or a panic is of the program that writes it; other complaints are often about somebody else. */
const EXCEPTION =
  /\b\w*(?:Exception|Error)\b.{0,80}(?::|\bat\b)|Traceback \(most recent|panic:|segmentation fault|stack ?trace/i;
const COMPLAINT_SHARE = 0.7;

/** One kind of line of one service, counted in both windows. */
export interface LogPattern {
  readonly service: string;
  readonly template: string;
  readonly bad: boolean;
  readonly counts: Record<Side, number>;
  /** What the count would be in the incident if nothing had changed. */
  readonly expected: number;
  readonly first: number | undefined;
  readonly sample: string;
}

export function logPatterns(lines: readonly ReadLine[]): LogPattern[] {
  const patterns = new Map<
    string,
    LogPattern & { counts: Record<Side, number>; first: number | undefined }
  >();
  const total: Record<Side, number> = { before: 0, during: 0 };
  for (const { line, side, template } of lines) {
    const { time, service, message, level } = line;
    total[side] += 1;
    const key = `${service}\n${template}`;
    const pattern = patterns.get(key) ?? {
      service,
      template,
      bad: soundsBad(message, level),
      counts: { before: 0, during: 0 },
      expected: 0,
      first: undefined,
      sample: message,
    };
    pattern.counts[side] += 1;
    if (side === 'during') pattern.first = Math.min(pattern.first ?? time, time);
    patterns.set(key, pattern);
  }
  // Logs that are kept for a part of the baseline only would make everything look new: lines, not hours, are compared.
  const exposure = total.before ? total.during / total.before : 0;
  return [...patterns.values()].map((pattern) => ({
    ...pattern,
    expected: pattern.counts.before * exposure,
  }));
}

/** Complaints that are new or much more frequent than the rest of the log. */
export function logBurstFindings(
  patterns: readonly LogPattern[],
  graph: CallGraph,
  windows: Windows,
): Finding[] {
  return discountCallers(
    patterns.flatMap((pattern) => burst(pattern, windows)),
    graph,
  );
}

function burst(pattern: LogPattern, windows: Windows): Finding[] {
  const { service, bad, counts, expected, sample } = pattern;
  const scatter = Math.sqrt(Math.max(1, expected));
  if (!bad || (counts.during - expected) / scatter < LEAST_SIGMAS) return [];
  const fold = (counts.during + 1) / (expected + 1);
  return [
    {
      source: 'log_burst',
      service,
      strength:
        soft(Math.log(fold), HALF_FOLD) *
        soft(counts.during - expected, HALF_COUNT) *
        (EXCEPTION.test(sample) ? 1 : COMPLAINT_SHARE),
      category: 'service_fault',
      evidence: logEvidence(pattern, windows),
    },
  ];
}

/** A kind of line and how often it came. */
export const logEvidence = (
  { service, template, counts, expected, first }: LogPattern,
  windows: Windows,
): Finding['evidence'] => ({
  kind: 'log',
  service,
  summary: wrote(service, template, counts),
  query: `logs{service="${service}"} |= "${template}"`,
  window: incidentWindow(windows),
  baseline: expected,
  during: counts.during,
  ...(first === undefined ? {} : { at: instant(first) }),
});
