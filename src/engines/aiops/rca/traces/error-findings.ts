import { type Finding, soft } from '../finding.ts';
import { showNumber } from '../show-number.ts';
import { instant, type Windows } from '../windows.ts';
import type { Side, TraceIndex } from './trace-index.ts';

/** One failure in twenty calls is half of what failures can say. */
const HALF_SHARE = 0.05;
/** A single failed trace is an anecdote. */
const HALF_COUNT = 2;
const LEAST_SIGMAS = 3;

/** Failures at the span where they began: it failed, and none of its children did. */
export function errorFindings({ spans, find }: TraceIndex, windows: Windows): Finding[] {
  const counts = new Map<string, Record<Side, { calls: number; origins: number }>>();
  for (const { span, side, children } of spans) {
    const count = counts.get(span.service) ?? {
      before: { calls: 0, origins: 0 },
      during: { calls: 0, origins: 0 },
    };
    const parent = find(span.traceId, span.parentId ?? undefined);
    // One request is one call, however many spans of a service it has.
    if (!parent || parent.span.service !== span.service) count[side].calls += 1;
    if (failed(span) && !children.some(failed)) count[side].origins += 1;
    counts.set(span.service, count);
  }
  return [...counts].flatMap(([service, { before, during }]) => {
    const usual = before.calls ? Math.min(1, before.origins / before.calls) : 0;
    const now = during.calls ? Math.min(1, during.origins / during.calls) : 0;
    const scatter = Math.sqrt(Math.max(usual * during.calls, 1));
    if (
      (during.origins - usual * during.calls) / scatter < LEAST_SIGMAS &&
      !(before.calls < 2 && during.origins)
    )
      return [];
    return [
      {
        source: 'error_origin',
        service,
        strength: soft(now - usual, HALF_SHARE) * soft(during.origins, HALF_COUNT),
        category: 'service_fault',
        evidence: {
          kind: 'trace',
          service,
          summary:
            `${during.origins} of ${during.calls} calls fail first in ${service} ` +
            `(${showNumber(now * 100)} %, before ${showNumber(usual * 100)} %)`,
          query: `spans{service="${service}", error=true} without failed children`,
          window: { start: instant(windows.incident[0]), end: instant(windows.incident[1]) },
          baseline: usual,
          during: now,
        },
      } satisfies Finding,
    ];
  });
}

function failed({
  error,
  status,
}: {
  error?: boolean | undefined;
  status?: string | number | undefined;
}): boolean {
  if (error !== undefined) return error;
  return typeof status === 'number' ? status >= 500 : /error|fail/i.test(status ?? '');
}
