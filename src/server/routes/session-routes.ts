import { z } from 'zod';
import { fail } from '#kit/app-error';
import { defineRoute, type Route, type RouteAnswer, type RouteRequest } from '#spec/ports';
import { type Authenticator, type Identity, type Peer, unprotected } from '../authenticate.ts';
import { type Refusal, RefusedError } from '../refusal.ts';
import { commanded } from '../serve-request.ts';
import { endedCookie, isSecure, sessionCookie } from '../session-cookie.ts';
import type { Session } from '../sessions.ts';
import type { PeerKnowledge } from '../start-server.ts';
import { readJson } from './read-json.ts';

const SignIn = z.strictObject({ token: z.string().min(1).max(500), user: z.string().max(200).optional() });
const Signed = z.object({
  user: z.string(),
  role: z.enum(['viewer', 'operator', 'approver', 'admin']),
  authRequired: z.boolean(),
  csrf: z.string(),
});

const Code = z.object({ code: z.string() });
const noTerminal: Refusal = {
  status: 403,
  code: 'input.forbidden',
  detail:
    'This is told to a person at a terminal of this machine, and none was found behind this connection.',
};

const MOST_BYTES = 4_096;

/** Signing in and out of the console. They ask for no token: who it is, is found out here. */
export function sessionRoutes(
  authenticator: Authenticator,
  peers: PeerKnowledge,
  signed: (identity: Identity, request: RouteRequest, status: number) => Promise<void>,
): Route[] {
  const { sessions } = authenticator;
  const shown = ({ principal: { user, role }, session }: Identity): z.infer<typeof Signed> => ({
    user,
    role,
    authRequired: authenticator.required,
    csrf: session?.csrf ?? '',
  });
  const cookieFor = (session: Session, { peer }: RouteRequest): Record<string, string> => ({
    'set-cookie': sessionCookie(sessions.value(session), { port: portOf(peer), secure: session.secure }),
  });
  return [
    defineRoute({
      method: 'GET',
      path: '/api/session',
      access: 'public',
      proves: true,
      about: { summary: 'Who is signed in, and what has to come along with changes', answer: Signed },
      handle: async (request): Promise<RouteAnswer> => {
        const identity = must(authenticator.identify(request.headers, peerOf(request)));
        const renewed = identity.session && sessions.renew(identity.session);
        return {
          status: 200,
          ...(renewed ? { headers: cookieFor(renewed, request) } : {}),
          body: shown(identity),
        };
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/session',
      access: 'public',
      proves: true,
      maxBytes: MOST_BYTES,
      about: {
        summary: 'Sign in with a token: sets the cookie of the session',
        body: SignIn,
        answer: Signed,
      },
      handle: async (request): Promise<RouteAnswer> => {
        const { token, user } = readJson(request, SignIn);
        if (!authenticator.required)
          return { status: 200, body: shown(must(authenticator.identify({}, peerOf(request)))) };
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
        return { status: 200, headers: cookieFor(session, request), body: shown(identity) };
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/session/code',
      access: 'admin',
      about: {
        summary: 'A word that signs the owner in once; told to a terminal of this machine only',
        answer: Code,
      },
      handle: async (request): Promise<RouteAnswer> => {
        const peer = peerOf(request);
        if (peers.fromCommand(peer)) throw new RefusedError(commanded);
        if (!peers.atTerminal(peer)) throw new RefusedError(noTerminal);
        return { status: 200, body: { code: authenticator.newCode() } };
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/session',
      access: 'public',
      proves: true,
      about: { summary: 'Sign out' },
      handle: async (request): Promise<RouteAnswer> => {
        const identity = must(authenticator.identify(request.headers, peerOf(request)));
        const refusal = unprotected(identity, request.method, request.headers);
        if (refusal) throw new RefusedError(refusal);
        if (identity.session) sessions.end(identity.session);
        await signed(identity, request, 204);
        const options = { port: portOf(request.peer), secure: identity.session?.secure ?? false };
        return { status: 204, headers: { 'set-cookie': endedCookie(options) } };
      },
    }),
  ];
}

const portOf = (peer: Peer | undefined): number => peer?.port ?? 0;
const peerOf = ({ peer }: RouteRequest): Peer => peer ?? { address: 'unknown', port: 0, from: 0 };

function must<T extends object>(found: T | Refusal): T {
  if ('detail' in found) throw new RefusedError(found);
  return found;
}
