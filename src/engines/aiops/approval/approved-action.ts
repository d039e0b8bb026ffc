import { requestDigest } from '#engines/gate';
import type { Action, Approval, Incident, ProposedAction, Rehearsal, Requester } from '#spec/data';

declare const approved: unique symbol;

/** An action that somebody agreed to, exactly as it is. Only this file can make one. */
export interface ApprovedAction {
  readonly [approved]: true;
  readonly action: ProposedAction;
  readonly approval: string;
  readonly by: string;
}

/** On whose behalf an incident acts: whoever opened it by hand, or Hermes itself. */
export const requesterOf = (incident: Incident, profile: string): Requester => ({
  caller: 'flow',
  platform: 'incident',
  profile,
  session: incident.id,
  user: incident.openedBy ?? 'hermes',
});

/** What the approval is bound to: the action, what it would change, and the state that it would change. */
export function actionToApprove(
  incident: Pick<Incident, 'id'>,
  action: ProposedAction,
  rehearsal: Rehearsal,
  checkpoint: { readonly digest: string },
): Action {
  const { preview, diff } = rehearsal;
  return {
    tool: 'execute_controlled_action',
    level: 3,
    input: { incident: incident.id, action, preview, diff, checkpoint: checkpoint.digest },
    shown: [preview, diff].filter(Boolean).join('\n'),
  };
}

/** Undefined unless the request has been used up for exactly this. */
export function asApproved(
  request: Approval | undefined,
  bound: Action,
  requester: Requester,
  action: ProposedAction,
): ApprovedAction | undefined {
  if (!request || request.state !== 'used' || !request.decidedBy) return undefined;
  if (request.digest !== requestDigest(bound, requester)) return undefined;
  const { channel, user } = request.decidedBy;
  return { action, approval: request.id, by: `${channel}:${user}` } as ApprovedAction;
}
