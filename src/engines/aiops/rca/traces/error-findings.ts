import type { CauseCategory } from '#spec/data';
import { type Finding, MAY_BE_CHANCE, soft } from '../finding.ts';
import { failsFirst } from '../words.ts';
import { incidentWindow, type Windows } from '../windows.ts';
import { countChance } from '../series/chances.ts';
import { nameCategory } from '../verdict/name-category.ts';
import { errorOrigin } from './error-origin.ts';
import type { IndexedSpan, Side, TraceIndex } from './trace-index.ts';

/** One failure in twenty calls is half of what failures can say. */
export const HALF_SHARE = 0.05;

interface Count {
  calls: number;
  origins: number;
  /** Origins by what the failure says of its kind. */
  readonly kinds: Map<CauseCategory, number>;
}

const freshCount = (): Count => ({ calls: 0, origins: 0, kinds: new Map() });

/** Failures at the service where they began. */
export function errorFindings({ spans, find }: TraceIndex, windows: Windows): Finding[] {
  const counts = new Map<string, Record<Side, Count>>();
  const countOf = (service: string): Record<Side, Count> => {
    const known = counts.get(service);
    if (known) return known;
    const fresh = { before: freshCount(), during: freshCount() };
    counts.set(service, fresh);
    return fresh;
  };
  for (const indexed of spans) {
    const { span, side } = indexed;
    // One request is one call, however many spans of a service it has.
    const parent = find(span.traceId, span.parentId ?? undefined);
    if (!parent || parent.span.service !== span.service) countOf(span.service)[side].calls += 1;
    // Of those who send no spans every call is known by its caller, also those that went well.
    if (indexed.unseen) countOf(indexed.unseen.callee)[side].calls += 1;
    const origin = errorOrigin(indexed);
    if (origin === undefined) continue;
    const count = countOf(origin)[side];
    count.origins += 1;
    const kind = nameCategory([String(span.status)], 'service_fault');
    count.kinds.set(kind, (count.kinds.get(kind) ?? 0) + 1);
    // A call that left no span at the callee was made all the same.
    if (origin !== span.service && origin !== indexed.unseen?.callee && isUnseen(indexed, origin))
      count.calls += 1;
  }
  return [...counts].flatMap(([service, { before, during }]) => {
    const usual = before.calls ? Math.min(1, before.origins / before.calls) : 0;
    const now = during.calls ? Math.min(1, during.origins / during.calls) : 0;
    const chance =
      counts.size *
      countChance({ hits: before.origins, of: before.calls }, { hits: during.origins, of: during.calls });
    // Where nobody was called before, nobody can say what is usual.
    if (now <= usual || (chance > MAY_BE_CHANCE && before.calls > 1)) return [];
    return [
      {
        source: 'error_origin',
        service,
        strength: soft(now - usual, HALF_SHARE) * soft(during.origins, 2),
        chance: Math.min(1, chance),
        category: kindOf(during),
        evidence: {
          kind: 'trace',
          service,
          summary: failsFirst(service, during, { now, usual }),
          query: `spans{service="${service}", error=true} without failed children`,
          window: incidentWindow(windows),
          baseline: usual,
          during: now,
        },
      } satisfies Finding,
    ];
  });
}

/** What half of the failures tell is told of all. */
const kindOf = ({ kinds, origins }: Count): CauseCategory =>
  [...kinds].find(([, count]) => count >= origins / 2)?.[0] ?? 'service_fault';

const isUnseen = ({ children }: IndexedSpan, callee: string): boolean =>
  !children.some(({ service }) => service === callee);
