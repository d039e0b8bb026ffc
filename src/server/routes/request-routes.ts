import { decideRequest, listRequests } from '#app/approvals';
import type { Host } from '#host';
import { API, type AskedCall } from '#spec/api';
import type { Approval } from '#spec/data';
import type { Route } from '#spec/ports';
import { implement } from '../implement.ts';

const { list, approve, reject } = API.requests;

/** What agents, terminals and workflows wait for; what incidents propose has routes of its own. */
export const requestRoutes = (host: Pick<Host, 'gate' | 'incidents'>): Route[] => [
  implement(list, async () => {
    const waiting = await listRequests(host, false);
    const calls = waiting.filter(({ requester }) => requester.platform !== 'incident');
    return { body: calls.map(askedOf) };
  }),
  ...[approve, reject].map((contract) =>
    implement(contract, async ({ params, body: { confirmation }, principal }) => {
      const decided = await decideRequest(host, params.id, contract === approve, 'once', {
        by: { channel: principal?.channel ?? '', user: principal?.user ?? '' },
        ...(confirmation === undefined ? {} : { confirmation }),
      });
      return { body: askedOf(decided) };
    }),
  ),
];

function askedOf({ action, requester, ...approval }: Approval): AskedCall {
  const { id, reasons, separate, confirm, state, createdAt, expiresAt } = approval;
  const { caller, platform, user, session } = requester;
  return {
    id,
    reasons,
    separate,
    ...(confirm === undefined ? {} : { confirm }),
    state,
    createdAt,
    expiresAt,
    shown: action.shown,
    tool: action.tool,
    asks: { caller, platform, user, session },
  };
}
