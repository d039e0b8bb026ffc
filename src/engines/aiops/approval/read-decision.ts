import type { NewFact } from '#spec/ports';
import { type IncidentDeps, mustFind } from '../incident-deps.ts';
import { notes } from '../notes.ts';

/** `gone`: the alerts went away, or somebody closed the incident, before anybody decided. */
export type ApprovalDecision = 'granted' | 'denied' | 'expired' | 'gone' | 'pending';

/** What became of a request, as the record of approvals has it; told once on the timeline. */
export async function readDecision(
  id: string,
  approval: string,
  deps: IncidentDeps,
  key: string,
): Promise<ApprovalDecision> {
  const { gate, store, now } = deps;
  // Marks what ran out of time.
  await gate.pending(id);
  const request = await gate.find(approval);
  const incident = await mustFind(store, id);
  const tell = (fact: NewFact, patch = {}) => store.record(id, { key, facts: [fact], patch }, now());
  const tried = [...(incident.tried ?? []), ...(incident.action ? [incident.action] : [])];
  const by = { by: request?.decidedBy?.user ?? '', channel: request?.decidedBy?.channel ?? '' };
  if (request?.state === 'granted' || request?.state === 'used') {
    await tell({ type: 'approval.granted', data: { approval, ...by } }, { state: 'executing' });
    return 'granted';
  }
  if (request?.state === 'denied') {
    const note = notes.denied(by.by);
    await tell(
      { type: 'approval.denied', data: { approval, ...by } },
      { state: 'needs_person', note, tried },
    );
    return 'denied';
  }
  if (request?.state === 'pending') {
    if (incident.firing > 0 && incident.closedAt === undefined) return 'pending';
    await gate.revoke(approval, { channel: 'incident', user: 'hermes' });
    await tell({ type: 'incident.updated', data: { what: notes.takenBack(approval) } });
    return 'gone';
  }
  await tell(
    { type: 'approval.expired', data: { approval } },
    { state: 'needs_person', note: notes.expired, tried },
  );
  return 'expired';
}
