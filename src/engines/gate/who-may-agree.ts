import type { Approver, Requester } from '#spec/data';
import type { GatePolicy } from './gate-policy.ts';

/** How an approver that is a model is named. No channel may claim to be it. */
export const MODEL_CHANNEL = 'model';

/** Why somebody's agreement does not count. `separate`: whoever asked may not agree. */
export function objectionTo(
  by: Approver | undefined,
  requester: Requester,
  separate: boolean,
  { approvers }: GatePolicy,
): string | undefined {
  if (!by || by.channel === MODEL_CHANNEL || by.user === '') return 'Only a person can agree to this.';
  if (separate && isSame(by, requester)) return 'Somebody else than who asked for it has to agree.';
  if (approvers && !approvers.includes(`${by.channel}:${by.user}`))
    return `${by.user} may not agree to this.`;
  return undefined;
}

/** A name counts in every channel: whoever has two of them is still one person. */
const isSame = ({ channel, user }: Approver, requester: Requester): boolean =>
  requester.user === user || requester.user === `${channel}:${user}`;
