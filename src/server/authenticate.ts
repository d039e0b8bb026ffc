import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Principal, Route } from '#spec/ports';
import { openRateLimit } from '#kit/rate-limit';
import { type Refusal, retryAfter } from './refusal.ts';
import { type ServerAuth, tokenHash } from './server-auth.ts';
import { sentSession } from './session-cookie.ts';
import {
  type EndedSessions,
  openSessions,
  same,
  type Session,
  type Sessions,
  type TokenHolder,
} from './sessions.ts';

/** Twenty different wrong tokens at once, then one every six seconds; beyond that a wrong token is not even told so. */
const GUESSES = { perSecond: 1 / 6, burst: 20 };
/** How many wrong tokens are known again. */
const MOST_WRONG = 5_000;

export interface Peer {
  readonly address: string;
  /** Ours, to which it is connected. */
  readonly port: number;
  /** Theirs. */
  readonly from: number;
}

type Headers = Readonly<Record<string, string>>;

/** Who sends something, and the session that says so where no token does. */
export interface Identity {
  readonly principal: Principal;
  readonly session?: Session;
}

export interface Authenticator {
  readonly required: boolean;
  readonly sessions: Sessions;
  /** Who sends this. A refusal where it is nobody. */
  identify(headers: Headers, peer: Peer): Identity | Refusal;
  /** Whose token this is. */
  holder(token: string, address: string): TokenHolder | Refusal;
  /** A word that signs the owner in once, within a few minutes. Whoever it is told to has to be a person. */
  newCode(): string;
  /** Whom such a word signs in. It is used up by this. */
  useCode(code: string): TokenHolder | undefined;
  /** The headers that a route may see: without tokens and cookies. */
  withoutToken(headers: Headers): Record<string, string>;
}

export function openAuthenticator(auth: ServerAuth, now: () => number, ended?: EndedSessions): Authenticator {
  const holders = holdersOf(auth);
  const known = holders.map((holder) => ({ holder, digest: Buffer.from(holder.hash, 'hex') }));
  const codes = new Map<string, number>();
  const sessions = openSessions(holders, now, ended);
  const guesses = openRateLimit(GUESSES, now);
  const wrong = new Set<string>();

  const holder: Authenticator['holder'] = (token, address) => {
    // Compared first, whatever came before: behind a proxy all have one address, and a right token always passes.
    const digest = digestOf(token);
    let found: TokenHolder | undefined;
    // Every digest is compared, whatever was found: the time tells nothing.
    for (const each of known) if (timingSafeEqual(each.digest, digest)) found = each.holder;
    if (found) return found;
    // The same wrong token again is a client with an old one, not a guess: it must not lock its neighbours out.
    const guess = `${address} ${digest.toString('base64')}`;
    if (!wrong.has(guess)) {
      const wait = guesses.take(address);
      if (wait) return tooManyGuesses(wait);
      if (wrong.size >= MOST_WRONG) wrong.clear();
      wrong.add(guess);
    }
    return unauthorized(auth, 'This token is not known here.');
  };
  return {
    required: auth.enabled,
    sessions,
    holder,
    newCode() {
      const code = `${CODE_PREFIX}${randomBytes(24).toString('base64url')}`;
      codes.set(tokenHash(code), now() + CODE_MS);
      return code;
    },
    useCode(code) {
      if (!code.startsWith(CODE_PREFIX)) return undefined;
      const until = codes.get(tokenHash(code)) ?? 0;
      codes.delete(tokenHash(code));
      return until > now() ? holders.find(({ principal }) => principal.channel === 'token') : undefined;
    },
    identify(headers, { address, port }) {
      if (!auth.enabled) return { principal: LOOPBACK };
      const token = sentToken(headers, auth.header);
      if (token) {
        const found = holder(token, address);
        return 'status' in found ? found : { principal: found.principal };
      }
      const cookie = sentSession(headers['cookie'], port);
      if (!cookie) return unauthorized(auth, 'This needs a token.');
      const session = sessions.read(cookie);
      if (!session) return unauthorized(auth, 'This session has ended.');
      return { principal: { ...session.holder.principal, person: session.person }, session };
    },
    withoutToken(headers) {
      const { authorization: _, cookie: __, [CSRF_HEADER]: ___, [auth.header]: ____, ...rest } = headers;
      return rest;
    },
  };
}

/** Without tokens nobody can be told from anybody else. */
const LOOPBACK: Principal = { channel: 'loopback', user: 'local', role: 'admin', person: false };
const CODE_PREFIX = 'once_';
const CODE_MS = 10 * 60_000;
const CSRF_HEADER = 'x-csrf-token';

/**
 * A browser sends its cookie along whoever asks it to; what only our own page can read has to come too, with everything
 * that changes something. Whoever sends a token needs none: no page can make a browser send that.
 */
export function unprotected({ session }: Identity, method: string, headers: Headers): Refusal | undefined {
  if (!session || method === 'GET' || method === 'HEAD') return undefined;
  if (same(headers[CSRF_HEADER] ?? '', session.csrf)) return undefined;
  return {
    status: 403,
    code: 'input.forbidden',
    detail: `The header ${CSRF_HEADER} is missing or is not the one of this session.`,
    hint: 'GET /api/session tells it.',
  };
}

function holdersOf({ token, readOnlyToken, users = [] }: ServerAuth): TokenHolder[] {
  const plain = (channel: string, role: Principal['role'], own: string | undefined): TokenHolder[] =>
    own
      ? [{ principal: { channel, user: channel, role, person: false }, key: own, hash: tokenHash(own) }]
      : [];
  return [
    ...plain('token', 'admin', token),
    ...plain('read_only_token', 'viewer', readOnlyToken),
    ...users.flatMap(({ user, role, token: own, tokenHash: hash = own && tokenHash(own) }) =>
      hash === undefined
        ? []
        : [{ principal: { channel: 'user', user, role, person: !own }, key: own ?? hash, hash }],
    ),
  ];
}

/** Fixed length, so that the comparison does not tell how long the token is. */
const digestOf = (token: string): Buffer => Buffer.from(tokenHash(token), 'hex');

function sentToken(headers: Headers, header: string): string | undefined {
  const bearer = /^bearer +(\S+) *$/i.exec(headers['authorization'] ?? '')?.[1];
  return bearer ?? headers[header]?.trim();
}

const unauthorized = (auth: ServerAuth, detail: string): Refusal => ({
  status: 401,
  code: 'input.unauthorized',
  detail,
  hint: `Send it as 'Authorization: Bearer …' or in the header '${auth.header}'; in a browser, sign in.`,
  headers: { 'www-authenticate': 'Bearer realm="hermes"' },
});

const tooManyGuesses = (wait: number): Refusal => ({
  status: 429,
  code: 'http.too_many_requests',
  detail: 'Too many wrong tokens came from this address.',
  headers: retryAfter(wait),
});

const RANKS: readonly Principal['role'][] = ['viewer', 'operator', 'approver', 'admin'];
type AskedAccess = Exclude<Route['access'], 'public' | 'signed'>;
const LEAST: Readonly<Record<AskedAccess, Principal['role']>> = {
  read: 'viewer',
  write: 'operator',
  approve: 'approver',
  admin: 'admin',
};

/** Whether only a person may use a route, and not whoever can read the home. */
export const asksPerson = ({
  access,
  method,
  person = access === 'approve' && method !== 'GET',
}: Route): boolean => person;

/** Whether somebody may use a route that asks for a token. */
export const mayUse = (principal: Principal, access: AskedAccess): boolean =>
  RANKS.indexOf(principal.role) >= RANKS.indexOf(LEAST[access]);
