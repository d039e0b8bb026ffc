import type { DurableEngine, IncidentLists, IncidentStore } from '#spec/ports';

const MOST_CLOSED = 200;
const MOST_TRIES = 6;
const FIRST_WAIT_MS = 30_000;

interface Parts {
  readonly store: Pick<IncidentStore & IncidentLists, 'summaries' | 'get'>;
  readonly flows: Pick<DurableEngine, 'signal'>;
  readonly now: () => number;
  readonly report: (incident: string, thrown: unknown) => void;
}

/**
 * Tells flows of closings that a process wrote down and did not live to pass on. What is told is kept by the flow, or has
 * no flow that could hear it: either way each incident is looked at once, not at every call. One that cannot be read or
 * told is tried again a few times, at doubling distances, and then left alone until the next start.
 */
export function closingTeller({ store, flows, now, report }: Parts): () => Promise<void> {
  const settled = new Set<string>();
  const failed = new Map<string, { readonly tries: number; readonly nextAt: number }>();

  const tell = async (id: string): Promise<void> => {
    const { tries, nextAt } = failed.get(id) ?? { tries: 0, nextAt: 0 };
    if (now() < nextAt) return;
    try {
      const incident = await store.get(id);
      if (incident && !incident.lesson) await flows.signal(id, 'incident.closed', {}, 'closed');
      settled.add(id);
      failed.delete(id);
    } catch (thrown) {
      report(id, thrown);
      failed.set(id, { tries: tries + 1, nextAt: now() + FIRST_WAIT_MS * 2 ** tries });
      if (tries + 1 >= MOST_TRIES) settled.add(id);
    }
  };

  return async () => {
    const closed = await store.summaries({ states: ['closed'], parts: true, limit: MOST_CLOSED });
    const listed = new Set(closed.map(({ id }) => id));
    for (const id of settled) if (!listed.has(id)) settled.delete(id);
    for (const id of failed.keys()) if (!listed.has(id)) failed.delete(id);
    for (const id of listed) if (!settled.has(id)) await tell(id);
  };
}
