import { joinTexts } from '#kit/text';
import type { Rca } from '#spec/data';
import type { NewFact } from '#spec/ports';
import { type IncidentDeps, mustFind, type Occasion } from '../incident-deps.ts';
import { namedCause } from '../names.ts';
import { reachVerdict } from './reach-verdict.ts';
import { NOTHING_FOUND } from './words.ts';

/** Names the root cause from what was collected, or says that it cannot. */
export async function rcaStage(
  id: string,
  deps: IncidentDeps,
  { key, round, signal }: Occasion,
): Promise<Rca> {
  const { store, archive, now } = deps;
  const incident = await mustFind(store, id);
  const collected = await archive.load(id, round);
  if (!collected) throw new Error(`what was collected for ${id} in round ${round} is gone`);
  const { telemetry, asked } = collected;
  const { rca, results } = reachVerdict(telemetry, asked);
  await archive.putResults(id, round, results);
  const explanation = await deps.explain(incident, rca, incident.priors ?? [], signal);
  await store.record(id, { key, facts: [factOf(rca, round)], patch: { rca, explanation } }, now());
  return rca;
}

function factOf(rca: Rca, round: number): NewFact {
  const [first] = rca.hypotheses;
  const summary = first
    ? joinTexts([namedCause(first.category), ...(first.service ? [first.service] : []), first.why], ': ')
    : NOTHING_FOUND;
  return rca.status === 'concluded'
    ? { type: 'rca.concluded', data: { round, summary, confidence: first?.confidence ?? 0 } }
    : { type: 'rca.inconclusive', data: { round, summary, missing: rca.missing } };
}
