import { catalogue, type Text } from '#kit/text';
import type { Approver, Requester } from '#spec/data';
import type { GatePolicy } from './gate-policy.ts';

/** How an approver that is a model is named. No channel may claim to be it. */
export const MODEL_CHANNEL = 'model';
/** How an agreement is named that a person gave beforehand, in a file. No channel may claim to be it. */
export const GRANT_CHANNEL = 'grant';

const words = catalogue({
  en: {
    onlyPerson: 'Only a person can agree to this.',
    somebodyElse: 'Somebody else than who asked for it has to agree.',
    mayNot: (user: string) => `${user} may not agree to this.`,
  },
  zh: {
    onlyPerson: '只有人可以同意。',
    somebodyElse: '必须由请求者以外的人同意。',
    mayNot: (user) => `${user} 无权同意。`,
  },
});

/** What only somebody who is asked can say: a second confirmation, and the word of a second person. */
export const onlyPerson = (): Text => words.onlyPerson;

/** Why somebody's agreement does not count. `separate`: whoever asked may not agree. */
export function objectionTo(
  by: Approver | undefined,
  requester: Requester,
  separate: boolean,
  { approvers }: GatePolicy,
): Text | undefined {
  if (!by || by.channel === MODEL_CHANNEL || by.user === '') return words.onlyPerson;
  if (separate && isSame(by, requester)) return words.somebodyElse;
  if (approvers && !approvers.includes(`${by.channel}:${by.user}`)) return words.mayNot(by.user);
  return undefined;
}

/** A name counts in every channel: whoever has two of them is still one person. */
const isSame = ({ channel, user }: Approver, requester: Requester): boolean =>
  requester.user === user || requester.user === `${channel}:${user}`;
