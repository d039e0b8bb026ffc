import type { ApprovalsDesk } from '#engines/session';
import type { Audience } from '#spec/data';
import { approverOf } from './conversation-permit.ts';
import type { HostGate } from './open-host-gate.ts';

/** The requests of one session, for the person at it. */
export function approvalsDesk(
  gate: () => Promise<HostGate>,
  session: string,
  audience: Audience,
): ApprovalsDesk {
  return {
    pending: async () => (await gate()).pending(session),
    decide: async (id, granted, scope) =>
      (await gate()).decide(id, { granted, scope, by: approverOf(audience) }),
  };
}
