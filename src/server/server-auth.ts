import { createHash } from 'node:crypto';
import { fail } from '#kit/app-error';
import type { Principal } from '#spec/ports';

/** Somebody with a name and a token of their own. */
interface ServerUser {
  readonly user: string;
  readonly role: Principal['role'];
  /** As it lies in `.env`, where a program of this user could read it. */
  readonly token?: string;
  /** SHA-256 of a token that only they have, in hexadecimal. */
  readonly tokenHash?: string;
}

/** Who may use the server. A holder of `token` may do everything, one of `readOnlyToken` may look. */
export interface ServerAuth {
  /** False lets everyone in, and holds on a loopback address only. */
  readonly enabled: boolean;
  readonly token?: string;
  readonly readOnlyToken?: string;
  readonly users?: readonly ServerUser[];
  /** A header that may carry the token besides `Authorization: Bearer`. Lower case. */
  readonly header: string;
}

const SHORTEST_TOKEN = 16;
const DEFAULT_HEADER = 'x-runbook-token';
/** What a header can carry without quoting. */
const TOKEN = /^[\x21-\x7e]+$/;
const HEADER = /^[a-z0-9!#$%&'*+.^_`|~-]+$/;
const MAKE_ONE =
  'Make one with `openssl rand -hex 24` and put it into .env as RUNBOOK_API_TOKEN; or set RUNBOOK_API_AUTH_ENABLED=false, which holds on a loopback address only.';

/** The settings by their variables. Throws `config.invalid` for what cannot be meant. */
export function serverAuthFromEnv(env: Readonly<Record<string, string | undefined>>): ServerAuth {
  const token = env['RUNBOOK_API_TOKEN']?.trim();
  const readOnlyToken = env['RUNBOOK_API_READ_ONLY_TOKEN']?.trim();
  const header = env['RUNBOOK_API_AUTH_HEADER']?.trim().toLowerCase() || DEFAULT_HEADER;
  if (!HEADER.test(header)) {
    throw fail('config.invalid', `RUNBOOK_API_AUTH_HEADER '${header}' is not the name of a header.`);
  }
  checkToken('RUNBOOK_API_TOKEN', token);
  checkToken('RUNBOOK_API_READ_ONLY_TOKEN', readOnlyToken);
  return {
    enabled: flag('RUNBOOK_API_AUTH_ENABLED', env['RUNBOOK_API_AUTH_ENABLED']),
    ...(token ? { token } : {}),
    ...(readOnlyToken ? { readOnlyToken } : {}),
    header,
  };
}

/** Refuses every combination that would let strangers in. */
export function checkAuth(auth: ServerAuth, address: { readonly host: string; readonly loopback: boolean }) {
  if (!auth.enabled) {
    if (address.loopback) return;
    throw fail(
      'config.invalid',
      `The server does not start on ${address.host} without a token: everyone who can reach that address could use it.`,
      'Set RUNBOOK_API_AUTH_ENABLED=true and RUNBOOK_API_TOKEN, or bind to 127.0.0.1.',
    );
  }
  if (!auth.token)
    throw fail('config.invalid', 'The server asks for a token, and none is configured.', MAKE_ONE);
  checkToken('RUNBOOK_API_TOKEN', auth.token);
  checkToken('RUNBOOK_API_READ_ONLY_TOKEN', auth.readOnlyToken);
  if (auth.token === auth.readOnlyToken) {
    throw fail('config.invalid', 'RUNBOOK_API_READ_ONLY_TOKEN is the same as RUNBOOK_API_TOKEN.', MAKE_ONE);
  }
  checkUsers(auth);
}

/** A token says who somebody is: no two may have the same one. */
function checkUsers({ users = [], token: own, readOnlyToken }: ServerAuth): void {
  const names = new Set<string>();
  const hashes = new Set([own, readOnlyToken].map((token) => (token ? tokenHash(token) : '')));
  for (const { user, token, tokenHash: hash = token ? tokenHash(token) : '' } of users) {
    checkToken(`The token of '${user}'`, token);
    if (names.has(user)) throw fail('config.invalid', `'${user}' stands twice among the users.`);
    if (hashes.has(hash)) throw fail('config.invalid', `The token of '${user}' is also somebody else's.`);
    names.add(user);
    hashes.add(hash);
  }
}

export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('hex');

export const tokensOf = ({ token, readOnlyToken, users = [] }: ServerAuth): readonly string[] =>
  [token, readOnlyToken, ...users.map((user) => user.token)].filter((one) => one !== undefined);

function checkToken(name: string, token: string | undefined): void {
  if (!token) return;
  if (token.length < SHORTEST_TOKEN) {
    throw fail(
      'config.invalid',
      `${name} is shorter than ${SHORTEST_TOKEN} characters: it could be guessed.`,
      MAKE_ONE,
    );
  }
  if (!TOKEN.test(token)) {
    throw fail('config.invalid', `${name} has characters that a header cannot carry.`, MAKE_ONE);
  }
}

function flag(name: string, text: string | undefined): boolean {
  const word = text?.trim().toLowerCase() ?? '';
  if (['', 'true', '1', 'yes', 'on'].includes(word)) return true;
  if (['false', '0', 'no', 'off'].includes(word)) return false;
  throw fail('config.invalid', `${name} is '${text}', neither true nor false.`);
}
