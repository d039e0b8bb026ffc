import { z } from 'zod';
import { decideRequest, type Host, listRequests } from '#host';
import { Approval, type Approver } from '#spec/data';
import { defineRoute, type Route, type RouteRequest } from '#spec/ports';
import { readJson } from './read-json.ts';

const Decide = z.strictObject({ confirmation: z.string().max(200).optional() });

const Asked = Approval.pick({
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

/** What agents, terminals and workflows wait for; what incidents propose has routes of its own. */
export const requestRoutes = (host: Host): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/requests',
    access: 'approve',
    about: { summary: 'Calls of tools that wait for agreement', answer: z.array(Asked) },
    handle: async () => {
      const waiting = await listRequests(host, false);
      const calls = waiting.filter(({ requester }) => requester.platform !== 'incident');
      return { status: 200, body: calls.map(askedOf) };
    },
  }),
  ...(['approve', 'reject'] as const).map((word) =>
    defineRoute({
      method: 'POST',
      path: `/api/requests/:id/${word}`,
      access: 'approve',
      person: word === 'approve',
      about: { summary: `${word} a call that waits, this once`, body: Decide, answer: Asked },
      handle: async (request) => {
        const { confirmation } = readJson(request, Decide, {});
        const decided = await decideRequest(host, request.params['id'] ?? '', word === 'approve', 'once', {
          by: approverOf(request),
          ...(confirmation === undefined ? {} : { confirmation }),
        });
        return { status: 200, body: askedOf(decided) };
      },
    }),
  ),
];

const approverOf = ({ principal }: RouteRequest): Approver => ({
  channel: principal?.channel ?? '',
  user: principal?.user ?? '',
});

function askedOf({ action, requester, ...approval }: Approval): z.infer<typeof Asked> {
  const { caller, platform, user, session } = requester;
  return Asked.parse({
    ...approval,
    shown: action.shown,
    tool: action.tool,
    asks: { caller, platform, user, session },
  });
}
