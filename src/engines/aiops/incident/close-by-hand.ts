import { asText, tell } from '#kit/text';
import { fail } from '#kit/app-error';
import { newId } from '#kit/new-id';
import { ENDED_STATES, type Incident } from '#spec/data';
import type { IncidentStore } from '#spec/ports';
import { STATES } from '../names.ts';

/** Closes an incident on behalf of somebody. What has ended stays as it ended, and what is being acted on is seen through. */
export async function closeByHand(
  { id, state }: Incident,
  { by, why }: { readonly by: string; readonly why: string },
  { store, now }: { readonly store: Pick<IncidentStore, 'record'>; readonly now: () => number },
): Promise<Incident> {
  if (ENDED_STATES.includes(state))
    throw fail(
      'input.conflict',
      tell(`${id} has ended already: it is ${state}.`, `${id} 已经结束:${STATES[state].zh}。`),
    );
  if (state === 'executing')
    throw fail(
      'input.conflict',
      tell(
        `${id} is being acted on: it can be closed when that is over.`,
        `${id} 正在执行动作:结束后才能关闭。`,
      ),
    );
  const at = now();
  return store.record(
    id,
    {
      key: newId('closed'),
      facts: [{ type: 'incident.closed', data: { state: 'closed', why: asText(`${by}: ${why}`) } }],
      patch: { state: 'closed', closedAt: at, note: asText(why) },
    },
    at,
  );
}
