import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Contract, CONTRACTS } from '#spec/api';
import { type Reply, type Role, ROLES, tokenOf, type UnderAttack, underAttack } from './served.ts';

/** Every route against everybody. The table is the contract, and what a server of it says that it serves. */
const LEAST: Readonly<Partial<Record<Contract['access'], Role>>> = {
  read: 'viewer',
  write: 'operator',
  approve: 'approver',
  admin: 'admin',
};
/** Besides pages that have moved: alive and ready, and signing in and out, which finds out itself who it is. */
const OPEN_TO_ALL = [
  'GET /healthz',
  'GET /readyz',
  'GET /api/session',
  'POST /api/session',
  'DELETE /api/session',
];
/** Signed ones check that themselves: test/incidents/refused-webhooks.test.ts. */
const GATEWAY = /^(?:GET|POST) \/gateway\//;
const FORMER = /^GET \/web(?:\/|$)/;

let place: UnderAttack;
beforeAll(async () => {
  place = await underAttack();
}, 60_000);
afterAll(() => place.close());

const nameOf = ({ method, path }: Pick<Contract, 'method' | 'path'>): string => `${method} ${path}`;

/** What asks for a token, with the least role that may use it. */
const guarded = () =>
  place.served.routes.flatMap(({ method, path, access }) => {
    const least = LEAST[access];
    return least ? [{ method, path, least }] : [];
  });
const addressOf = (path: string): string => path.replace(/:[^/]+/g, 'none_1');
const bodyOf = (method: string): { readonly body?: string } =>
  method === 'GET' ? {} : { body: '{"of": "no use"}' };

/** Whether it was the server that sent somebody away, and not the route that found nothing to do. */
const isTurnedAway = ({ status, text }: Reply): boolean =>
  status === 401 || (status === 403 && /may not do this/.test(text));

describe('every route', () => {
  it('has a contract, and every contract a route', () => {
    const served = place.served.routes.map(nameOf);
    const own = served.filter((name) => !GATEWAY.test(name) && !FORMER.test(name));
    expect(own.toSorted()).toEqual(CONTRACTS.map(nameOf).toSorted());
    expect(place.served.routes.filter(({ summary }) => !summary).map(nameOf)).toEqual([]);
  });

  it('says what it answers with', () => {
    const silent = place.served.routes.filter(
      ({ answer, files, events, status }) => !answer && !files && !events && status !== 204 && status !== 302,
    );
    expect(silent.map(nameOf)).toEqual([]);
  });

  it('asks for a token, unless it is named here', () => {
    const open = place.served.routes.filter(({ access }) => access === 'public').map(nameOf);
    expect(open.filter((name) => !FORMER.test(name)).toSorted()).toEqual(OPEN_TO_ALL.toSorted());
    const signed = place.served.routes.filter(({ access }) => access === 'signed').map(nameOf);
    expect(signed.filter((name) => !GATEWAY.test(name))).toEqual([]);
  });

  it('is described with who may use it', async () => {
    const { text } = await place.ask('/api/openapi.json', { token: tokenOf('admin') });
    const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, { security: unknown[] }>> };
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { security }]) => [
        `${method.toUpperCase()} ${path.replaceAll(/\{([^}]+)\}/g, ':$1')}`,
        security.length > 0,
      ]),
    );
    const wanted = place.served.routes.filter((route) => !FORMER.test(nameOf(route)));
    expect(Object.fromEntries(described)).toEqual(
      Object.fromEntries(wanted.map((route) => [nameOf(route), LEAST[route.access] !== undefined])),
    );
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
