import { afterEach, describe, expect, it } from 'vitest';
import { defineRoute } from '#spec/ports';
import {
  ask,
  type Asked,
  READ_ONLY,
  type Reply,
  scriptedServer,
  TOKEN,
  type UnderTest,
} from '#support/server/scripted-server';
import { tokenHash } from './server-auth.ts';
import { type EndedSessions, openSessions } from './sessions.ts';
import type { ServerOptions } from './start-server.ts';

/** Of hers the home has the hash, of Olga's and Paul's the token. */
const ANNA = 'a-token-of-anna-0123456';
const USERS = [
  { user: 'olga', role: 'operator', token: 'a-token-of-olga-0123456' },
  { user: 'anna', role: 'approver', tokenHash: tokenHash(ANNA) },
  { user: 'paul', role: 'approver', token: 'a-token-of-paul-0123456' },
] as const;
const AUTH = {
  enabled: true,
  token: TOKEN,
  readOnlyToken: READ_ONLY,
  header: 'x-runbook-token',
  users: USERS,
};
const HOUR = 3_600_000;

interface Browser {
  readonly cookie: string;
  readonly csrf: string;
  readonly reply: Reply;
}

const jar = (reply: Reply): string => reply.headers['set-cookie']?.[0]?.split(';')[0] ?? '';

describe('sessions of browsers', () => {
  const running: UnderTest[] = [];
  const start = async (options: Partial<ServerOptions> = {}): Promise<UnderTest> => {
    const server = await scriptedServer({ auth: AUTH, ...options });
    running.push(server);
    return server;
  };
  afterEach(() => Promise.all(running.splice(0).map((server) => server.close())));

  const signIn = async (server: UnderTest, token: string, headers = {}): Promise<Browser> => {
    const reply = await ask(server, '/api/session', {
      method: 'POST',
      body: JSON.stringify({ token }),
      headers: { 'content-type': 'application/json', ...headers },
    });
    return { cookie: jar(reply), csrf: String(reply.json()['csrf']), reply };
  };
  const as = ({ cookie, csrf }: Browser, asked: Asked = {}): Asked => ({
    ...asked,
    headers: { cookie, ...(asked.method ? { 'x-csrf-token': csrf } : {}), ...asked.headers },
  });

  it('end what a browser listens to when it signs out, and what nobody else does', async () => {
    const endless = defineRoute({
      method: 'GET',
      path: '/endless',
      access: 'read',
      handle: ({ signal }) =>
        Promise.resolve({
          status: 200,
          headers: { 'content-type': 'text/event-stream' },
          body: (async function* () {
            yield ': here\n\n';
            await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
          })(),
        }),
    });
    const server = await start({ routes: [endless] });
    const [olga, anna] = [await signIn(server, USERS[0].token), await signIn(server, ANNA)];
    const listen = async ({ cookie }: Browser) => {
      const own = new AbortController();
      const { body } = await fetch(`${server.url}/endless`, { headers: { cookie }, signal: own.signal });
      const state = { over: false, leave: () => own.abort() };
      void (async () => {
        for await (const _ of body ?? []);
        state.over = true;
      })().catch(() => undefined);
      return state;
    };
    const [hers, other] = [await listen(olga), await listen(anna)];
    expect((await ask(server, '/api/session', as(olga, { method: 'DELETE' }))).status).toBe(204);
    await expect.poll(() => hers.over).toBe(true);
    expect(other.over).toBe(false);
    other.leave();
  });

  it('begin with a token, and put it where no script reads it and no other site sends it', async () => {
    const server = await start();
    const browser = await signIn(server, ANNA);
    expect(browser.reply.json()).toEqual({
      user: 'anna',
      role: 'approver',
      authRequired: true,
      csrf: expect.stringMatching(/^[\w-]{43}$/) as unknown,
    });
    const [cookie] = browser.reply.headers['set-cookie'] ?? [];
    expect(cookie).toMatch(/; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(cookie).toContain(`hermes_session_${server.port}=`);
    expect(cookie).not.toContain(ANNA);
    expect((await ask(server, '/api/session', as(browser))).json()).toMatchObject({
      user: 'anna',
      csrf: browser.csrf,
    });
    const secure = await signIn(server, TOKEN, { origin: `https://127.0.0.1:${server.port}` });
    expect(secure.reply.headers['set-cookie']?.[0]).toMatch(/; Secure$/);
    expect(JSON.stringify(server.lines)).not.toContain(ANNA);
  });

  it('are not begun by a wrong token, and not found without one', async () => {
    const server = await start();
    const wrong = await signIn(server, 'a-token-that-nobody-has');
    expect([wrong.reply.status, wrong.reply.headers['set-cookie']]).toEqual([401, undefined]);
    expect((await ask(server, '/api/session')).status).toBe(401);
    const other = await ask(server, '/api/session', {
      method: 'POST',
      body: JSON.stringify({ token: TOKEN, user: 'anna' }),
    });
    expect(other.status).toBe(401);
    for (let guess = 0; guess < 25; guess++) await signIn(server, `a-guess-of-a-token-${guess}`);
    expect((await signIn(server, 'one-guess-too-many')).reply.status).toBe(429);
    expect((await signIn(server, TOKEN)).reply.status).toBe(200);
  });

  it.each([
    ['viewer', READ_ONLY, [200, 403, 403]],
    ['operator', USERS[0].token, [200, 200, 403]],
    ['approver', ANNA, [200, 200, 200]],
    // What lies in the home shows no person.
    ['approver', USERS[2].token, [200, 200, 403]],
    ['admin', TOKEN, [200, 200, 403]],
  ])('let a %s do what the role may', async (role, token, [reads, writes, approves]) => {
    const server = await start();
    const browser = await signIn(server, token);
    expect(browser.reply.json()['role']).toBe(role);
    const post = { method: 'POST' };
    expect((await ask(server, '/echo/read/x', as(browser))).status).toBe(reads);
    expect((await ask(server, '/echo/write/x', as(browser, post))).status).toBe(writes);
    expect((await ask(server, '/echo/approve/x', as(browser, post))).status).toBe(approves);
    expect((await ask(server, '/echo/approve/x', { method: 'POST', token })).status).toBe(approves);
  });

  it('change nothing without what only our own page knows', async () => {
    const server = await start();
    const browser = await signIn(server, TOKEN);
    const other = await signIn(server, TOKEN);
    const post = (headers: Record<string, string>) =>
      ask(server, '/echo/write/x', { method: 'POST', headers: { cookie: browser.cookie, ...headers } });
    expect((await post({})).status).toBe(403);
    expect((await post({ 'x-csrf-token': other.csrf })).status).toBe(403);
    expect((await post({ 'x-csrf-token': browser.csrf })).status).toBe(200);
    // What comes with a token is not sent by a browser on behalf of somebody else.
    expect((await ask(server, '/echo/write/x', { method: 'POST', token: TOKEN })).status).toBe(200);
    const out = await ask(server, '/api/session', { method: 'DELETE', headers: { cookie: browser.cookie } });
    expect(out.status).toBe(403);
  });

  it('show a route neither the cookie nor what protects it', async () => {
    const server = await start();
    const browser = await signIn(server, TOKEN);
    const reply = await ask(server, '/echo/write/x', as(browser, { method: 'POST' }));
    expect(reply.json()['principal']).toEqual({
      channel: 'token',
      user: 'token',
      role: 'admin',
      person: false,
    });
    expect(reply.text).not.toContain(browser.cookie.split('=')[1]);
    expect(reply.text).not.toContain(browser.csrf);
  });

  const agree = async (server: UnderTest, browser: Browser) =>
    (await ask(server, '/echo/approve/x', as(browser, { method: 'POST' }))).status;

  it('of the owner agree when they began with a word that was told once, and only with the first use of it', async () => {
    let now = 1_000_000;
    const server = await start({ now: () => now });
    const [code, late] = [server.newCode(), server.newCode()];
    const browser = await signIn(server, code);
    expect(browser.reply.json()['role']).toBe('admin');
    expect(await agree(server, browser)).toBe(200);
    expect((await signIn(server, code)).reply.status).toBe(401);
    now += HOUR;
    expect((await signIn(server, late)).reply.status).toBe(401);
    // A word is no token.
    const other = server.newCode();
    expect((await ask(server, '/echo/approve/x', { method: 'POST', token: other })).status).toBe(401);
  });

  it('agree to nothing after a restart, nor under a cookie that was signed with what the home holds', async () => {
    const first = await start();
    const browser = await signIn(first, ANNA);
    expect(await agree(first, browser)).toBe(200);
    await first.close();
    const second = await start({ port: first.port });
    expect((await ask(second, '/echo/read/x', as(browser))).status).toBe(200);
    expect(await agree(second, browser)).toBe(403);
    expect(await agree(second, await signIn(second, ANNA))).toBe(200);
    const principal = { channel: 'user', user: 'anna', role: 'approver', person: true } as const;
    const holder = { principal, key: tokenHash(ANNA), hash: tokenHash(ANNA) };
    const forger = openSessions([holder], Date.now);
    const forged = forger.begin(holder, false, true);
    const cookie = `${browser.cookie.split('=')[0]}=${forger.value(forged)}`;
    expect(await agree(second, { ...browser, cookie, csrf: forged.csrf })).toBe(403);
  });

  it('begin for no command that Hermes ran, and are promised to terminals only', async () => {
    const peers = { fromCommand: () => true, atTerminal: () => false };
    const server = await start({ peers });
    expect((await signIn(server, ANNA)).reply.status).toBe(403);
    expect((await ask(server, '/echo/approve/x', { method: 'POST', token: ANNA })).status).toBe(403);
    const asked = { method: 'POST', token: TOKEN };
    expect((await ask(server, '/api/session/code', asked)).status).toBe(403);
    const plain = await start({ peers: { ...peers, fromCommand: () => false } });
    expect((await ask(plain, '/api/session/code', asked)).status).toBe(403);
    const manned = await start({ peers: { fromCommand: () => false, atTerminal: () => true } });
    expect((await ask(manned, '/api/session/code', { ...asked, token: ANNA })).status).toBe(403);
    const code = String((await ask(manned, '/api/session/code', asked)).json()['code']);
    expect(await agree(manned, await signIn(manned, code))).toBe(200);
  });

  it('outlive a restart, and end with the token', async () => {
    const first = await start();
    const browser = await signIn(first, USERS[0].token);
    await first.close();
    const second = await start({ port: first.port });
    expect((await ask(second, '/echo/write/x', as(browser, { method: 'POST' }))).status).toBe(200);
    await second.close();
    // Somebody else's new token changes nothing for them; their own ends it.
    const others = await start({ port: first.port, auth: { ...AUTH, token: 'another-token-for-writing' } });
    expect((await ask(others, '/echo/read/x', as(browser))).status).toBe(200);
    await others.close();
    const users = [{ ...USERS[0], token: 'another-token-of-olga-01' }, USERS[1]];
    const third = await start({ port: first.port, auth: { ...AUTH, users } });
    expect((await ask(third, '/echo/read/x', as(browser))).status).toBe(401);
    await third.close();
    const gone = await start({ port: first.port, auth: { ...AUTH, users: [USERS[1]] } });
    expect((await ask(gone, '/echo/read/x', as(browser))).status).toBe(401);
  });

  it('have the role of now, not that of then', async () => {
    const first = await start();
    const browser = await signIn(first, USERS[0].token);
    await first.close();
    const users = [{ ...USERS[0], role: 'viewer' as const }];
    const second = await start({ port: first.port, auth: { ...AUTH, users } });
    expect((await ask(second, '/echo/write/x', as(browser, { method: 'POST' }))).status).toBe(403);
  });

  it('end by signing out, also for a server that starts later', async () => {
    let kept = new Map<string, number>();
    const book = (): EndedSessions => ({ known: kept, keep: (ended) => (kept = new Map(ended)) });
    const first = await start({ endedSessions: book() });
    const browser = await signIn(first, TOKEN);
    const stays = await signIn(first, TOKEN);
    const out = await ask(first, '/api/session', as(browser, { method: 'DELETE' }));
    expect(out.status).toBe(204);
    expect(out.headers['set-cookie']?.[0]).toMatch(/=; Max-Age=0;/);
    expect((await ask(first, '/echo/read/x', as(browser))).status).toBe(401);
    await first.close();
    const second = await start({ port: first.port, endedSessions: book() });
    expect((await ask(second, '/echo/read/x', as(browser))).status).toBe(401);
    expect((await ask(second, '/echo/read/x', as(stays))).status).toBe(200);
  });

  it('last twelve hours, under ids that change', async () => {
    let now = Date.now();
    const server = await start({ now: () => now });
    const browser = await signIn(server, TOKEN, { 'x-forwarded-proto': 'https' });
    expect(jar(await ask(server, '/api/session', as(browser)))).toBe('');
    now += HOUR;
    const renewal = await ask(server, '/api/session', as(browser));
    const renewed = { ...browser, cookie: jar(renewal) };
    expect(renewal.headers['set-cookie']?.[0]).toMatch(/; Secure$/);
    expect(renewed.cookie).toMatch(/^hermes_session_/);
    expect(renewed.cookie).not.toBe(browser.cookie);
    // Other pages of the same browser go on with what they know.
    expect(renewal.json()['csrf']).toBe(browser.csrf);
    expect((await ask(server, '/echo/read/x', as(browser))).status).toBe(200);
    now += 61_000;
    expect((await ask(server, '/echo/read/x', as(browser))).status).toBe(401);
    expect((await ask(server, '/echo/write/x', as(renewed, { method: 'POST' }))).status).toBe(200);
    now += 11 * HOUR;
    expect((await ask(server, '/echo/read/x', as(renewed))).status).toBe(401);
  });

  it('cannot be made up, lengthened or taken for somebody else', async () => {
    const server = await start();
    const { cookie } = await signIn(server, READ_ONLY);
    const [name = '', value = ''] = cookie.split('=');
    const [version, payload = '', mac] = value.split('.');
    const fields = JSON.parse(Buffer.from(payload, 'base64url').toString()) as unknown[];
    const forged = (edit: (own: unknown[]) => void, sign = mac) => {
      const own = [...fields];
      edit(own);
      return `${version}.${Buffer.from(JSON.stringify(own)).toString('base64url')}.${sign}`;
    };
    for (const bad of [
      forged((own) => (own[0] = 'token:token')),
      forged((own) => (own[4] = Date.now() + 100 * HOUR)),
      forged(() => undefined, ''),
      forged(() => undefined, `${mac}x`),
      'v1.bm90IGpzb24.x',
      'v0.x.y',
      '',
    ]) {
      const reply = await ask(server, '/echo/read/x', { headers: { cookie: `${name}=${bad}` } });
      expect([bad, reply.status]).toEqual([bad, 401]);
    }
    // The same value under the name of a server at another port is not looked at.
    const elsewhere = { headers: { cookie: `hermes_session_1=${value}` } };
    expect((await ask(server, '/echo/read/x', elsewhere)).status).toBe(401);
    expect((await ask(server, '/echo/read/x', { headers: { cookie: `a=b; ${cookie}; c=d` } })).status).toBe(
      200,
    );
  });

  it('are not asked for where no token is', async () => {
    const server = await start({ auth: { enabled: false, header: 'x-runbook-token' } });
    const body = { user: 'local', role: 'admin', authRequired: false, csrf: '' };
    expect((await ask(server, '/api/session')).json()).toEqual(body);
    expect((await ask(server, '/echo/write/x', { method: 'POST' })).status).toBe(200);
    const origin = 'http://evil.example';
    expect((await ask(server, '/echo/write/x', { method: 'POST', headers: { origin } })).status).toBe(403);
  });

  it("and tokens are nobody else's", async () => {
    const twice = [USERS[0], { ...USERS[2], token: USERS[0].token }];
    await expect(start({ auth: { ...AUTH, users: twice } })).rejects.toThrow(/somebody else's/);
    await expect(start({ auth: { ...AUTH, users: [{ ...USERS[0], token: TOKEN }] } })).rejects.toThrow(
      /else's/,
    );
    await expect(start({ auth: { ...AUTH, users: [{ ...USERS[0], token: 'short' }] } })).rejects.toThrow(
      /shorter/,
    );
    await expect(start({ auth: { ...AUTH, users: [USERS[0], USERS[0]] } })).rejects.toThrow(/twice/);
  });

  it('tell who changed what, and nobody else', async () => {
    const told: string[] = [];
    const server = await start({
      onWritten: async ({ method, path, status, principal: { user }, session }) =>
        void told.push(`${user} ${session ? 'console' : 'http'} ${method} ${path} ${status}`),
    });
    const browser = await signIn(server, USERS[0].token);
    await ask(server, '/echo/write/x?secret=1', as(browser, { method: 'POST', body: 'hidden' }));
    await ask(server, '/echo/approve/x', as(browser, { method: 'POST' }));
    await ask(server, '/echo/read/x', as(browser));
    await ask(server, '/echo/write/y', { method: 'POST', token: TOKEN });
    await ask(server, '/api/session', as(browser, { method: 'DELETE' }));
    expect(told).toEqual([
      'olga console POST /api/session 200',
      'olga console POST /echo/write/x 200',
      'token http POST /echo/write/y 200',
      'olga console DELETE /api/session 204',
    ]);
  });
});
