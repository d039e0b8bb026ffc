import { clamp } from '../stats.ts';
import { errorOrigin } from './error-origin.ts';
import { spanFailed } from './span-failed.ts';
import type { IndexedSpan, Side, TraceIndex } from './trace-index.ts';

/** Of what a service does worse than before, how much comes from another place: of its failures and of its time. */
export interface ExplainedShare {
  readonly failures: number;
  readonly time: number;
}

/** What the requests of one service took, and what of it calls to one party took. */
interface Sum {
  requests: number;
  ms: number;
  failed: number;
  partyMs: number;
  partyFailed: number;
}

/** How much of the trouble of its callers is that of each party that sends no spans, by party and caller. */
export function partyShares({ spans, entryOf }: TraceIndex): Map<string, Map<string, ExplainedShare>> {
  const asked = new Map<string, Map<IndexedSpan, { ms: number; failed: boolean }>>();
  for (const indexed of spans) {
    if (!indexed.unseen) continue;
    const key = `${indexed.unseen.callee}\n${indexed.span.service}`;
    const calls = asked.get(key) ?? new Map<IndexedSpan, { ms: number; failed: boolean }>();
    const entry = entryOf(indexed);
    const known = calls.get(entry) ?? { ms: 0, failed: false };
    calls.set(entry, {
      ms: known.ms + indexed.span.durationMs,
      failed: known.failed || errorOrigin(indexed) === indexed.unseen.callee,
    });
    asked.set(key, calls);
  }
  const entries = Map.groupBy(
    spans.filter((indexed) => entryOf(indexed) === indexed),
    ({ span }) => span.service,
  );
  const shares = new Map<string, Map<string, ExplainedShare>>();
  for (const [key, calls] of asked) {
    const [party = '', service = ''] = key.split('\n');
    const sums = { before: emptySum(), during: emptySum() } satisfies Record<Side, Sum>;
    for (const entry of entries.get(service) ?? []) {
      const sum = sums[entry.side];
      const call = calls.get(entry);
      const failed = spanFailed(entry.span);
      sum.requests += 1;
      sum.ms += entry.span.durationMs;
      sum.failed += failed ? 1 : 0;
      sum.partyMs += call?.ms ?? 0;
      sum.partyFailed += failed && call?.failed ? 1 : 0;
    }
    shares.set(party, (shares.get(party) ?? new Map()).set(service, shareOf(sums)));
  }
  return shares;
}

const emptySum = (): Sum => ({ requests: 0, ms: 0, failed: 0, partyMs: 0, partyFailed: 0 });

function shareOf({ before, during }: Record<Side, Sum>): ExplainedShare {
  const mean = ({ requests }: Sum, all: number): number => all / Math.max(1, requests);
  const slower = mean(during, during.ms) - mean(before, before.ms);
  const added = mean(during, during.partyMs) - mean(before, before.partyMs);
  return {
    failures: during.failed ? during.partyFailed / during.failed : 0,
    time: slower > 0 ? clamp(added / slower, 0, 1) : 0,
  };
}
