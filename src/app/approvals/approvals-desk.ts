import type { ApprovalsDesk } from '#engines/session';
import { fail } from '#kit/app-error';
import type { Audience } from '#spec/data';
import { approverOf } from './conversation-permit.ts';
import type { HomeGate } from './home-gate.ts';

/** The requests of one session, for the person at it. */
export function approvalsDesk(
  gate: () => Promise<HomeGate>,
  session: string,
  audience: Audience,
): ApprovalsDesk {
  return {
    pending: async () => (await gate()).pending(session),
    decide: async (id, granted, scope) => {
      const { approvals, decide } = await gate();
      const asked = await approvals.get(id);
      if (asked?.requester.session !== session)
        throw fail('input.invalid', `There is no request '${id}' in this session.`, 'hermes approvals');
      return decide(id, { granted, scope, by: approverOf(audience) });
    },
  };
}
