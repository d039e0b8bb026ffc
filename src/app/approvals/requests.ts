import type { Approval, Approver } from '#spec/data';
import { localAudience } from '../terminal/find-session.ts';
import type { Dependencies } from '../dependencies.ts';
import { approverOf } from './conversation-permit.ts';

type Needs = Pick<Dependencies, 'gate' | 'incidents'>;

const MOST_LISTED = 100;

/** Requests for agreement of every session of this home, newest first. */
export async function listRequests(deps: Needs, all: boolean): Promise<readonly Approval[]> {
  const { approvals, pending } = await deps.gate();
  return all ? approvals.list({ limit: MOST_LISTED }) : pending();
}

/** The answer of somebody: of whoever sits at this terminal unless it is said who. */
export async function decideRequest(
  deps: Needs,
  id: string,
  granted: boolean,
  scope: 'once' | 'session' | 'always',
  { confirmation, by = approverOf(localAudience()) }: { confirmation?: string; by?: Approver } = {},
): Promise<Approval> {
  const gate = await deps.gate();
  const decision = { granted, by, ...(confirmation ? { confirmation } : {}) };
  const asked = await gate.approvals.get(id);
  // Whoever carries it out waits elsewhere, and has to be woken.
  if (asked?.requester.platform === 'incident') return (await deps.incidents()).decide(id, decision);
  return gate.decide(id, { ...decision, scope });
}

/** Takes back what was granted for longer than one call. False: there is nothing to take back. */
export async function revokeGrant(deps: Needs, id: string): Promise<boolean> {
  return (await deps.gate()).revoke(id, approverOf(localAudience()));
}
