import { joinTexts } from '#kit/text';
import type { Rca } from '#spec/data';
import type { NewFact } from '#spec/ports';
import { type IncidentDeps, mustFind, type Occasion } from '../incident-deps.ts';
import { namedCause } from '../names.ts';
import { secondReading } from '../reader/second-reader.ts';
import { reachVerdict } from './reach-verdict.ts';
import { NOTHING_FOUND } from './words.ts';

/** Names the root cause from what was collected, or says that it cannot; a second reader may doubt it. */
export async function rcaStage(id: string, deps: IncidentDeps, occasion: Occasion): Promise<Rca> {
  const { key, round, signal } = occasion;
  const { store, archive, now } = deps;
  const incident = await mustFind(store, id);
  const collected = await archive.load(id, round);
  if (!collected) throw new Error(`what was collected for ${id} in round ${round} is gone`);
  const { telemetry, asked } = collected;
  const { rca: shown, results } = reachVerdict(telemetry, asked);
  await archive.putResults(id, round, results);
  const diagnosis = { rca: shown, changes: telemetry.changes ?? [] };
  const { rca, reading, fresh } = await secondReading(incident, diagnosis, deps, occasion);
  const explanation = await deps.explain(incident, rca, incident.priors ?? [], signal);
  const facts: NewFact[] = [
    factOf(rca, round),
    ...(reading && fresh ? [{ type: 'rca.read' as const, data: { reading } }] : []),
  ];
  const patch = { rca, explanation, ...(reading ? { reading } : {}) };
  await store.record(id, { key, facts, patch }, now());
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
