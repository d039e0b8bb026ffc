import type { CallGraph } from '../call-graph.ts';
import { discountCallers } from '../discount-callers.ts';
import { type Finding, MAY_BE_CHANCE, soft } from '../finding.ts';
import { countChance } from '../series/chances.ts';
import type { Side } from '../traces/trace-index.ts';
import { incidentWindow, instant, type Windows } from '../windows.ts';
import { wrote } from '../words.ts';
import type { ReadLine } from './read-lines.ts';
import { soundsBad } from './sounds-bad.ts';

/** As many more say half of what lines can say. */
const HALF_COUNT = 10;

/** One kind of line of one service, counted in both windows. */
export interface LogPattern {
  readonly service: string;
  readonly template: string;
  readonly bad: boolean;
  readonly counts: Record<Side, number>;
  /** What the count would be in the incident if nothing had changed. */
  readonly expected: number;
  /** How likely as many come where nothing happened, among all kinds of lines. Absent without any line from before. */
  readonly chance: number | undefined;
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
      chance: undefined,
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
    chance: total.before
      ? Math.min(
          1,
          patterns.size *
            countChance(
              { hits: pattern.counts.before, of: total.before },
              { hits: pattern.counts.during, of: total.during },
            ),
        )
      : undefined,
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
  const { service, bad, counts, expected, chance = 0 } = pattern;
  if (!bad || counts.during <= expected || chance > MAY_BE_CHANCE) return [];
  const fold = (counts.during + 1) / (expected + 1);
  return [
    {
      source: 'log_burst',
      service,
      strength: soft(Math.log(fold), 1) * soft(counts.during - expected, HALF_COUNT),
      ...(pattern.chance === undefined ? {} : { chance }),
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
