import type { Text } from '#kit/text';
import { ENDED_STATES, type IncidentState } from '#spec/data';
import { type IncidentDeps, mustFind, type Occasion } from '../incident-deps.ts';
import { notes } from '../notes.ts';

export type Watched = 'open' | 'quiet' | 'resolved' | 'closed';

/**
 * Whether there is still something to watch. Alerts of one fault end one after the other, come back, and the next one may be
 * on its way: only those that stayed away are over; until then it is `quiet`.
 */
export async function readWatch(
  id: string,
  { store, now }: IncidentDeps,
  { key }: Occasion,
  stayedAway: boolean,
): Promise<Watched> {
  const incident = await mustFind(store, id);
  if (ENDED_STATES.includes(incident.state)) return 'closed';
  if (incident.firing === 0 && stayedAway) return 'resolved';
  if (incident.state === 'investigating')
    await store.record(id, { key, facts: [], patch: { state: 'watching' } }, now());
  return incident.firing === 0 ? 'quiet' : 'open';
}

const whyOf = (end: IncidentState): Text =>
  end === 'recovered' || end === 'resolved' ? notes[end] : notes.closed;

/** What has ended stays as it ended. */
export async function closeIncident(
  id: string,
  { store, now }: IncidentDeps,
  { key }: Occasion,
  state: IncidentState,
): Promise<void> {
  const incident = await mustFind(store, id);
  const at = now();
  const end = ENDED_STATES.includes(incident.state) ? incident.state : state;
  if (incident.closedAt !== undefined) return;
  await store.record(
    id,
    {
      key,
      facts: [{ type: 'incident.closed', data: { state: end, why: whyOf(end) } }],
      patch: { state: end, closedAt: at, note: undefined },
    },
    at,
  );
}
