import { type IncidentDeps, mustFind, type Occasion } from '../incident-deps.ts';

const MOST_FACTS = 5_000;

/** Keeps what a closed incident taught. */
export async function learningStage(id: string, deps: IncidentDeps, { key }: Occasion): Promise<void> {
  const { store, now } = deps;
  const [incident, facts, alerts] = await Promise.all([
    mustFind(store, id),
    store.facts(id, 0, MOST_FACTS),
    store.alerts(id),
  ]);
  // What there is to learn is learned from the incident that has its alerts now.
  if (incident.mergedInto !== undefined) return;
  const lesson = await deps.learn(incident, facts, alerts);
  await store.record(
    id,
    { key, facts: [{ type: 'lesson.recorded', data: { lesson } }], patch: { lesson } },
    now(),
  );
}
