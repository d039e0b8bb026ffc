import { fail } from '#kit/app-error';
import { API, type SignedIn } from '#spec/api';
import type { Route, RouteRequest } from '#spec/ports';
import { type Authenticator, type Identity, type Peer, unprotected } from '../authenticate.ts';
import { implement } from '../implement.ts';
import { type Refusal, RefusedError } from '../refusal.ts';
import { commanded } from '../serve-request.ts';
import { endedCookie, isSecure, sessionCookie } from '../session-cookie.ts';
import type { Session } from '../sessions.ts';
import type { PeerKnowledge } from '../start-server.ts';

const noTerminal: Refusal = {
  status: 403,
  code: 'input.forbidden',
  detail:
    'This is told to a person at a terminal of this machine, and none was found behind this connection.',
};

/** What these routes look at, besides the body. */
type SeenRequest = Pick<RouteRequest, 'method' | 'path' | 'peer'>;

/** Signing in and out of the console. They ask for no token: who it is, is found out here. */
export function sessionRoutes(
  authenticator: Authenticator,
  peers: PeerKnowledge,
  signed: (identity: Identity, request: SeenRequest, status: number) => Promise<void>,
): Route[] {
  const { sessions } = authenticator;
  const shown = ({ principal: { user, role }, session }: Identity): SignedIn => ({
    user,
    role,
    authRequired: authenticator.required,
    csrf: session?.csrf ?? '',
  });
  const cookieFor = (session: Session, { peer }: SeenRequest): Record<string, string> => ({
    'set-cookie': sessionCookie(sessions.value(session), { port: portOf(peer), secure: session.secure }),
  });
  return [
    implement(API.session.show, async (request) => {
      const identity = must(authenticator.identify(request.headers, peerOf(request)));
      const renewed = identity.session && sessions.renew(identity.session);
      return {
        ...(renewed ? { headers: cookieFor(renewed, request) } : {}),
        body: shown(identity),
      };
    }),
    implement(API.session.signIn, async (request) => {
      const { token, user } = request.body;
      if (!authenticator.required) return { body: shown(must(authenticator.identify({}, peerOf(request)))) };
      const peer = peerOf(request);
      if (peers.fromCommand(peer)) throw new RefusedError(commanded);
      const invited = authenticator.useCode(token.trim());
      const holder = invited ?? must(authenticator.holder(token.trim(), peer.address));
      const person = invited !== undefined || holder.principal.person;
      if (user !== undefined && user !== holder.principal.user)
        throw fail('input.unauthorized', 'This token is not known here.');
      const session = sessions.begin(holder, isSecure(request.headers), person);
      const identity = { principal: { ...holder.principal, person }, session };
      await signed(identity, request, 200);
      return { headers: cookieFor(session, request), body: shown(identity) };
    }),
    implement(API.session.code, async (request) => {
      const peer = peerOf(request);
      if (peers.fromCommand(peer)) throw new RefusedError(commanded);
      if (!peers.atTerminal(peer)) throw new RefusedError(noTerminal);
      return { body: { code: authenticator.newCode() } };
    }),
    implement(API.session.signOut, async (request) => {
      const identity = must(authenticator.identify(request.headers, peerOf(request)));
      const refusal = unprotected(identity, request.method, request.headers);
      if (refusal) throw new RefusedError(refusal);
      if (identity.session) sessions.end(identity.session);
      await signed(identity, request, 204);
      const options = { port: portOf(request.peer), secure: identity.session?.secure ?? false };
      return { headers: { 'set-cookie': endedCookie(options) } };
    }),
  ];
}

const portOf = (peer: Peer | undefined): number => peer?.port ?? 0;
const peerOf = ({ peer }: SeenRequest): Peer => peer ?? { address: 'unknown', port: 0, from: 0 };

function must<T extends object>(found: T | Refusal): T {
  if ('detail' in found) throw new RefusedError(found);
  return found;
}
