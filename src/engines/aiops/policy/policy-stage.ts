import { joinTexts } from '#kit/text';
import type { Rca } from '#spec/data';
import { changesSomething } from '#spec/data/operations';
import { type IncidentDeps, mustFind, type Occasion } from '../incident-deps.ts';
import { proposeAction } from './propose-action.ts';

/** Proposes what to do about the root cause. `act`: it would change something, so somebody has to agree. */
export async function policyStage(
  id: string,
  rca: Rca,
  deps: IncidentDeps,
  { key, round, signal }: Occasion,
): Promise<{ readonly act: boolean }> {
  const { store, archive, settings, now } = deps;
  const incident = await mustFind(store, id);
  const telemetry = (await archive.load(id, round))?.telemetry;
  const culprit = rca.hypotheses[0]?.service ?? incident.service;
  const profile = culprit === undefined ? undefined : await deps.profileOf(culprit);
  const executors = await deps.executors();
  const proposal = proposeAction({
    incident,
    rca,
    changes: telemetry?.changes ?? [],
    ...(profile ? { profile } : {}),
    ...(telemetry?.topology ? { topology: telemetry.topology } : {}),
    state: await deps.running(signal),
    rules: await deps.rules(),
    operations: [...new Set(executors.flatMap(({ operations }) => operations))],
    tried: incident.tried ?? [],
    floor: settings.confidenceFloor,
    now: now(),
    zone: settings.zone,
  });
  const { action, why } = proposal;
  const act = action !== undefined && changesSomething(action.operation);
  const watching = incident.state === 'needs_person' ? {} : ({ state: 'watching' } as const);
  const note = joinTexts(why, { en: ' ', zh: ' ' });
  await store.record(
    id,
    {
      key,
      facts: action ? [{ type: 'action.proposed', data: { action } }] : [],
      patch: {
        action,
        alternatives: proposal.action ? [...proposal.alternatives] : undefined,
        rehearsal: undefined,
        checkpoint: undefined,
        approval: undefined,
        ...(act ? { state: 'investigating', note } : { ...watching, note }),
      },
    },
    now(),
  );
  return { act };
}
