import { sleep } from '#kit/sleep';
import type { FinishedSpan, IncidentStore, SpanExporter } from '#spec/ports';
import { ENDS_SPAN, incidentSpans } from './incident-spans.ts';

export interface FollowDeps {
  readonly store: Pick<IncidentStore, 'news' | 'facts'>;
  readonly add: (span: FinishedSpan) => void;
  readonly progress: SpanExporter['progress'];
  /** How far the facts of this home have been told; undefined before the first time. */
  readonly readPlace: () => Promise<number | undefined>;
  readonly keepPlace: (place: number) => Promise<void>;
  readonly onTrouble: (thrown: unknown) => void;
  readonly now: () => number;
  readonly everyMs?: number;
}

export interface IncidentsFollowed {
  /** After a last look. */
  close(): Promise<void>;
  /** How far the spans are sent, for the last time: when nothing sends them any more. */
  keep(): Promise<void>;
}

const EVERY_MS = 1_000;
const BATCH = 500;
const MOST_FACTS = 10_000;
/** What ended longer ago, while nobody listened, is not told any more: receivers refuse what is old. */
const LATE_MS = 3_600_000;

/**
 * Makes spans of the facts of all incidents, whichever process wrote them. The place is kept when its spans are sent or
 * given up: what ended while no process followed is told later, and so is what a process that was killed had not sent.
 * What it had sent in its last second is told again, with the same ids.
 */
export function followIncidents(deps: FollowDeps): IncidentsFollowed {
  const { store, everyMs = EVERY_MS } = deps;
  const stop = new AbortController();
  let place: number | undefined;
  /** Places that are told, with how many spans had been taken by then. */
  let told: { readonly place: number; readonly taken: number }[] = [];
  let troubled = false;

  const keep = async (): Promise<void> => {
    const { done } = deps.progress();
    const sent = told.findLast(({ taken }) => taken <= done);
    if (!sent) return;
    await deps.keepPlace(sent.place);
    told = told.filter((each) => each.place > sent.place);
  };
  const look = async (): Promise<void> => {
    place ??= await beginning(deps);
    await keep();
    for (;;) {
      const news = await store.news(place, BATCH);
      const last = news.at(-1);
      if (!last) return;
      const ended = new Map<string, Set<number>>();
      for (const { fact } of news) {
        if (!ENDS_SPAN.has(fact.type)) continue;
        ended.set(fact.stream, (ended.get(fact.stream) ?? new Set()).add(fact.seq));
      }
      for (const [incident, seqs] of ended) await tell(incident, seqs, deps);
      place = last.n;
      told.push({ place, taken: deps.progress().taken });
      if (news.length < BATCH) return;
    }
  };
  const safely = (work: () => Promise<void>): Promise<void> =>
    work().then(
      () => {
        troubled = false;
      },
      (thrown: unknown) => {
        if (!troubled) deps.onTrouble(thrown);
        troubled = true;
      },
    );
  const follow = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      await safely(look);
      await sleep(everyMs, stop.signal);
    }
    await safely(look);
  };
  const following = follow();
  return {
    close: () => {
      stop.abort();
      return following;
    },
    keep: () => safely(keep),
  };
}

/** Where to go on from. What was there before the first time is nobody's news; another database begins anew. */
async function beginning({ store, readPlace, keepPlace }: FollowDeps): Promise<number> {
  const kept = await readPlace();
  const [last] = await store.news('last', 1);
  const newest = last?.n ?? 0;
  if (kept !== undefined && kept <= newest) return kept;
  await keepPlace(newest);
  return newest;
}

async function tell(
  incident: string,
  seqs: ReadonlySet<number>,
  { store, add, now }: FollowDeps,
): Promise<void> {
  const facts = await store.facts(incident, 0, MOST_FACTS);
  for (const { seq, span } of incidentSpans(incident, facts))
    if (seqs.has(seq) && span.endMs > now() - LATE_MS) add(span);
}
