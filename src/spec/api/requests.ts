import { z } from 'zod';
import { Approval } from '#spec/data';
import { defineContracts } from './contract.ts';
import { Decision } from './incidents.ts';

/** A call of a tool that waits for agreement. */
const AskedCall = Approval.pick({
  id: true,
  reasons: true,
  separate: true,
  confirm: true,
  state: true,
  createdAt: true,
  expiresAt: true,
}).extend({
  /** What exactly would run, and where. */
  shown: z.string(),
  tool: z.string(),
  /** Who asks, over which way in, in which session. */
  asks: z.object({ caller: z.string(), platform: z.string(), user: z.string(), session: z.string() }),
});
export type AskedCall = z.infer<typeof AskedCall>;

const decision = { method: 'POST', access: 'approve', body: Decision, answer: AskedCall } as const;

/** What agents, terminals and workflows wait for; what incidents propose has routes of its own. */
export const REQUESTS = defineContracts({
  list: {
    method: 'GET',
    path: '/api/requests',
    access: 'approve',
    summary: 'Calls of tools that wait for agreement',
    answer: z.array(AskedCall),
  },
  approve: {
    ...decision,
    path: '/api/requests/:id/approve',
    person: true,
    summary: 'approve a call that waits, this once',
  },
  reject: {
    ...decision,
    path: '/api/requests/:id/reject',
    person: false,
    summary: 'reject a call that waits, this once',
  },
});
