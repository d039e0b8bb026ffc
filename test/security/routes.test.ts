import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Reply, type Role, ROLES, tokenOf, type UnderAttack, underAttack } from './served.ts';

/**
 * Every route against everybody. The table is what the server says of its own routes (`/api/openapi.json`), so a new one is
 * among them; one that asks for nothing has to be named here.
 */
const OPEN_TO_ALL: readonly string[] = [];
/** They check a signature themselves: test/incidents/refused-webhooks.test.ts. */
const SIGNED = /^POST \/gateway\//;
/** Of the server itself, which the description leaves out. */
const OWN = [
  ['GET', '/metrics', 'viewer'],
  ['GET', '/readyz/details', 'viewer'],
  ['GET', '/api/openapi.json', 'viewer'],
] as const;

const LEAST: Readonly<Record<string, Role>> = {
  'For viewers and up.': 'viewer',
  'For operators and up.': 'operator',
  'For approvers and up.': 'approver',
  'For admins.': 'admin',
};

let place: UnderAttack;
let table: readonly { readonly method: string; readonly path: string; readonly says: string }[];
beforeAll(async () => {
  place = await underAttack();
  const { text } = await place.ask('/api/openapi.json', { token: tokenOf('admin') });
  const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, { description: string }>> };
  table = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { description: says }]) => ({
      method: method.toUpperCase(),
      path,
      says,
    })),
  );
}, 60_000);
afterAll(() => place.close());

/** Roles by what the route asks for; those that ask for nobody are left out. */
const guarded = () => [
  ...OWN.map(([method, path, least]) => ({ method, path, least: least as Role })),
  ...table.flatMap(({ method, path, says }) => {
    const least = LEAST[says];
    return least ? [{ method, path, least }] : [];
  }),
];
const addressOf = (path: string): string => path.replace(/\{[^}]+\}/g, 'none_1');
const bodyOf = (method: string): { readonly body?: string } =>
  method === 'GET' ? {} : { body: '{"of": "no use"}' };

/** Whether it was the server that sent somebody away, and not the route that found nothing to do. */
const isTurnedAway = ({ status, text }: Reply): boolean =>
  status === 401 || (status === 403 && /may not do this/.test(text));

describe('every route', () => {
  it('says who may use it', () => {
    expect(table.length).toBeGreaterThan(25);
    const open = table.filter(({ says }) => !LEAST[says]).map(({ method, path }) => `${method} ${path}`);
    expect(open.filter((name) => !SIGNED.test(name) && !OPEN_TO_ALL.includes(name))).toEqual([]);
  });

  it('that changes something is not for those who may only look', () => {
    expect(guarded().filter(({ method, least }) => method !== 'GET' && least === 'viewer')).toEqual([]);
  });

  it('is closed to nobody’s and to wrong tokens, whatever comes with them', async () => {
    for (const { method, path } of guarded()) {
      const name = `${method} ${path}`;
      const asked = { method, ...bodyOf(method) };
      for (const more of [
        {},
        { token: 'a-token-that-nobody-has' },
        { headers: { cookie: `hermes_session_${place.served.port}=v1.e30.x` } },
        { headers: { authorization: 'Basic dG9rZW46dG9rZW4=' } },
      ]) {
        const { status, headers } = await place.ask(addressOf(path), { ...asked, ...more });
        expect([name, status]).toEqual([name, 401]);
        expect(headers['www-authenticate']).toContain('Bearer');
      }
    }
  }, 60_000);

  it.each(ROLES)(
    'lets a %s do what the role may, and nothing else',
    async (role) => {
      for (const { method, path, least } of guarded()) {
        const may = ROLES.indexOf(role) >= ROLES.indexOf(least);
        // What the token of this home would set going is not for this test: those who may are let in below.
        if (may && method !== 'GET') continue;
        const reply = await place.ask(addressOf(path), { method, token: tokenOf(role), ...bodyOf(method) });
        const name = `${method} ${path}`;
        expect([name, isTurnedAway(reply)]).toEqual([name, !may]);
        if (may) expect([name, reply.status >= 500]).toEqual([name, false]);
      }
    },
    60_000,
  );

  it('that changes something is reached by the least who may, and refuses nonsense', async () => {
    for (const { method, path, least } of guarded()) {
      if (method === 'GET') continue;
      const name = `${method} ${path}`;
      const reply = await place.ask(addressOf(path), { method, token: tokenOf(least), body: '{"of": ' });
      expect([name, isTurnedAway(reply), reply.status >= 500]).toEqual([name, false, false]);
    }
  }, 60_000);

  it('keeps what it says from caches, frames and guesses of browsers', async () => {
    for (const { method, path } of guarded()) {
      const { headers } = await place.ask(addressOf(path), {
        method,
        token: tokenOf('viewer'),
        ...bodyOf(method),
      });
      const name = `${method} ${path}`;
      expect([name, headers['cache-control']]).toEqual([name, expect.stringMatching(/^no-store/)]);
      expect([name, headers]).toEqual([
        name,
        expect.objectContaining({
          'x-content-type-options': 'nosniff',
          'x-frame-options': 'DENY',
          'referrer-policy': 'no-referrer',
          'cross-origin-resource-policy': 'same-origin',
          'content-security-policy': expect.stringMatching(
            /default-src 'none'.*frame-ancestors 'none'/,
          ) as unknown,
        }),
      ]);
      expect(Object.keys(headers).filter((each) => each.startsWith('access-control'))).toEqual([]);
    }
  }, 60_000);
});
