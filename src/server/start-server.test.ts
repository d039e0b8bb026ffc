import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { AppError, fail } from '#kit/app-error';
import { sleep } from '#kit/sleep';
import { defineRoute } from '#spec/ports';
import {
  ask,
  type Asked,
  READ_ONLY,
  scriptedServer,
  speak,
  TOKEN,
  type UnderTest,
} from '#support/server/scripted-server';
import type { ServerOptions } from './start-server.ts';

describe('startServer', () => {
  const running: UnderTest[] = [];
  const start = async (options: Partial<ServerOptions> = {}): Promise<UnderTest> => {
    const server = await scriptedServer(options);
    running.push(server);
    return server;
  };
  afterEach(() => Promise.all(running.splice(0).map((server) => server.close())));

  describe('who may do what', () => {
    it.each([
      ['public', undefined, 200],
      ['signed', undefined, 200],
      ['read', undefined, 401],
      ['write', undefined, 401],
      ['approve', undefined, 401],
      ['read', 'a-token-that-nobody-has', 401],
      ['write', 'a-token-that-nobody-has', 401],
      ['read', READ_ONLY, 200],
      ['write', READ_ONLY, 403],
      ['approve', READ_ONLY, 403],
      ['read', TOKEN, 200],
      ['write', TOKEN, 200],
      // It lies in the home: whoever has it need not be a person.
      ['approve', TOKEN, 403],
      ['write', TOKEN.slice(0, -1), 401],
      ['write', `${TOKEN}x`, 401],
    ])('%s with the token %s: %i', async (access, token, status) => {
      const server = await start();
      const asked = { method: 'POST', ...(token ? { token } : {}) };
      const reply = await ask(server, `/echo/${access}/x`, asked);
      expect(reply.status).toBe(status);
      if (status === 401) expect(reply.headers['www-authenticate']).toMatch(/^Bearer/);
      if (status >= 400) {
        expect(reply.headers['content-type']).toBe('application/problem+json');
        expect(reply.json()).toMatchObject({ status, title: expect.any(String), detail: expect.any(String) });
      }
      if (token) expect(reply.text + JSON.stringify(server.lines)).not.toContain(token);
    });

    it('takes the token in the header of its own, and tells the route who it is', async () => {
      const server = await start();
      const reply = await ask(server, '/echo/read/x', { headers: { 'x-runbook-token': READ_ONLY } });
      expect(reply.json()).toMatchObject({
        principal: { channel: 'read_only_token', user: 'read_only_token', role: 'viewer' },
      });
      const both = await ask(server, '/echo/write/x', { method: 'POST', token: TOKEN });
      expect(both.json()).toMatchObject({ principal: { channel: 'token', role: 'admin' } });
    });

    it('gives a signed route its headers, and no principal', async () => {
      const server = await start();
      const reply = await ask(server, '/echo/signed/x', { method: 'POST', token: TOKEN });
      expect(reply.json()).not.toHaveProperty('principal');
      expect(reply.json()).toMatchObject({ headers: { authorization: `Bearer ${TOKEN}` } });
    });

    it('lets everyone in on loopback when it is told so', async () => {
      const server = await start({ auth: { enabled: false, header: 'x-runbook-token' } });
      const reply = await ask(server, '/echo/write/x', { method: 'POST' });
      expect(reply.json()).toMatchObject({ principal: { channel: 'loopback', role: 'admin' } });
    });

    it('stops guesses from one address, and does not count the same wrong token twice', async () => {
      let now = 1_000_000;
      const server = await start({ now: () => now });
      const guess = (token: string) => ask(server, '/echo/read/x', { token });
      for (let count = 0; count < 40; count++) expect((await guess('an-old-token-of-mine')).status).toBe(401);
      expect((await guess(TOKEN)).status).toBe(200);
      for (let count = 0; count < 19; count++)
        expect((await guess(`guess-number-${count}`)).status).toBe(401);
      const refused = await guess('one-guess-too-many');
      expect(refused.status).toBe(429);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      now += Number(refused.headers['retry-after']) * 1_000;
      expect((await guess('one-guess-too-many')).status).toBe(401);
    });

    it('lets a right token pass at any rate of wrong ones from the same address', async () => {
      const server = await start({ rate: { perSecond: 1, burst: 30 }, now: () => 1_000_000 });
      const statuses = new Set<number>();
      for (let count = 0; count < 60; count++)
        statuses.add((await ask(server, '/echo/read/x', { token: `guess-number-${count}` })).status);
      expect(statuses).toEqual(new Set([401, 429]));
      expect((await ask(server, '/echo/read/x', { token: TOKEN })).status).toBe(200);
      // Neither do they take the place of those who need no token, or sign what they send.
      expect((await ask(server, '/echo/public/x')).status).toBe(200);
      expect((await ask(server, '/echo/signed/x', { method: 'POST' })).status).toBe(200);
    });

    it('lets a right one sign in at any rate of wrong ones from the same address', async () => {
      const server = await start({ rate: { perSecond: 1, burst: 30 }, now: () => 1_000_000 });
      const signIn = (token: string) =>
        ask(server, '/api/session', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ token }),
        });
      const statuses = new Set<number>();
      for (let count = 0; count < 60; count++) statuses.add((await signIn(`guess-number-${count}`)).status);
      expect(statuses).toEqual(new Set([401, 429]));
      expect((await signIn(TOKEN)).status).toBe(200);
      expect((await ask(server, '/echo/public/x')).status).toBe(200);
    });

    it('limits how often one may ask', async () => {
      let now = 1_000_000;
      const server = await start({ rate: { perSecond: 1, burst: 3 }, now: () => now });
      const statuses: number[] = [];
      for (let count = 0; count < 4; count++)
        statuses.push((await ask(server, '/echo/read/x', { token: TOKEN })).status);
      expect(statuses).toEqual([200, 200, 200, 429]);
      expect((await ask(server, '/echo/read/x', { token: READ_ONLY })).status).toBe(200);
      now += 1_000;
      expect((await ask(server, '/echo/read/x', { token: TOKEN })).status).toBe(200);
    });
  });

  describe('what it refuses to start as', () => {
    it.each<[string, Partial<ServerOptions>, RegExp]>([
      [
        'open to the world',
        { host: '0.0.0.0', auth: { enabled: false, header: 'x' } },
        /does not start on 0\.0\.0\.0/,
      ],
      [
        'open to the world (v6)',
        { host: '::', auth: { enabled: false, header: 'x' } },
        /does not start on ::/,
      ],
      ['without an address', { host: '' }, /no address/],
      ['without a token', { auth: { enabled: true, header: 'x' } }, /none is configured/],
      [
        'on the world without a token',
        { host: '0.0.0.0', auth: { enabled: true, header: 'x' } },
        /none is configured/,
      ],
      ['with a short token', { auth: { enabled: true, token: 'short', header: 'x' } }, /shorter than 16/],
      [
        'with a read-only token that is none',
        { auth: { enabled: true, token: TOKEN, readOnlyToken: TOKEN, header: 'x' } },
        /the same/,
      ],
    ])('%s', async (_, options, message) => {
      await expect(scriptedServer(options)).rejects.toThrow(message);
      await expect(scriptedServer(options)).rejects.toBeInstanceOf(AppError);
    });

    it('on a port that is taken, with the reason', async () => {
      const other = createServer();
      await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve));
      const { port } = other.address() as AddressInfo;
      await expect(scriptedServer({ port })).rejects.toThrow(
        `Port ${port} of 127.0.0.1: something else listens there`,
      );
      other.close();
    });
  });

  describe('requests that are wrong', () => {
    it.each<[string, Asked, number]>([
      ['/nothing/here', {}, 404],
      ['/echo/read/x/', { token: TOKEN }, 404],
      ['/echo/read/', { token: TOKEN }, 404],
      ['//echo/read/x', { token: TOKEN }, 404],
      ['/echo/read/..%2f..%2fetc%2fpasswd', { token: TOKEN }, 400],
      ['/echo/read/%2e%2e', { token: TOKEN }, 400],
      ['/echo/read/..', { token: TOKEN }, 400],
      ['/echo/read/..%5cx', { token: TOKEN }, 400],
      ['/echo/read/a%00b', { token: TOKEN }, 400],
      ['/echo/read/%ff', { token: TOKEN }, 400],
      ['/echo/read/%', { token: TOKEN }, 400],
      ['/echo/public/x', { headers: { host: 'evil.example' } }, 421],
      ['/healthz', { headers: { host: 'evil.example' } }, 421],
      ['/echo/public/x', { headers: { host: '10.1.2.3' } }, 421],
      ['http://127.0.0.1/echo/public/x', {}, 400],
    ])('%s %j: %i', async (path, asked, status) => {
      const server = await start();
      const reply = await ask(server, path, asked);
      expect(reply.status).toBe(status);
      expect(reply.json()).toMatchObject({ status });
    });

    it('tells which methods a path takes', async () => {
      const server = await start();
      const wrong = await ask(server, '/echo/public/x', { method: 'DELETE' });
      expect([wrong.status, wrong.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS, POST']);
      const options = await ask(server, '/echo/public/x', { method: 'OPTIONS' });
      expect([options.status, options.headers.allow]).toEqual([204, 'GET, HEAD, OPTIONS, POST']);
      expect(Object.keys(options.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    });

    it('answers HEAD like GET, without the body', async () => {
      const server = await start();
      const [head, get] = [
        await ask(server, '/echo/public/x', { method: 'HEAD' }),
        await ask(server, '/echo/public/x'),
      ];
      expect([head.status, head.text]).toEqual([200, '']);
      expect(Number(head.headers['content-length'])).toBeGreaterThan(10);
      expect(head.headers['content-length']).toBe(get.headers['content-length']);
    });

    it('answers to names that it was given', async () => {
      const server = await start({ allowedHosts: ['hermes.example'] });
      for (const host of [
        'hermes.example',
        'Hermes.Example:8443',
        'localhost',
        '[::1]:99',
        `127.0.0.1:${server.port}`,
      ]) {
        expect((await ask(server, '/healthz', { headers: { host } })).status).toBe(200);
      }
    });

    it('hangs up on what is not HTTP, and on two hosts', async () => {
      const server = await start();
      expect(await speak(server, 'GRÜSS GOTT\r\n\r\n')).toMatch(/^HTTP\/1\.1 400/);
      const twice =
        'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n';
      expect(await speak(server, twice)).toMatch(/^HTTP\/1\.1 400/);
    });

    it.each<[string, Asked, number]>([
      ['POST', { method: 'POST', headers: { origin: 'https://evil.example' } }, 403],
      ['POST', { method: 'POST', headers: { origin: 'null' } }, 403],
      ['POST', { method: 'POST', headers: { origin: 'http://127.0.0.1:1' } }, 403],
      ['POST', { method: 'POST', headers: { 'sec-fetch-site': 'cross-site' } }, 403],
      ['POST', { method: 'POST', headers: { 'sec-fetch-site': 'same-site' } }, 403],
      ['POST', { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' } }, 200],
      ['POST', { method: 'POST' }, 200],
      ['GET', { headers: { origin: 'https://evil.example' } }, 200],
      ['GET', { headers: { origin: 'https://evil.example', accept: 'text/event-stream' } }, 403],
      ['GET', { headers: { 'sec-fetch-site': 'cross-site', accept: 'text/event-stream' } }, 403],
    ])('%s from a page %j: %i', async (_, asked, status) => {
      const server = await start({ auth: { enabled: false, header: 'x-runbook-token' } });
      const reply = await ask(server, '/echo/write/x', asked);
      expect(reply.status).toBe(status);
      expect(reply.headers).not.toHaveProperty('access-control-allow-origin');
    });

    it('takes its own pages, also behind a proxy with TLS', async () => {
      const server = await start({ allowedHosts: ['hermes.example'] });
      for (const scheme of ['http', 'https']) {
        const headers = { host: 'hermes.example', origin: `${scheme}://hermes.example` };
        expect((await ask(server, '/echo/write/x', { method: 'POST', token: TOKEN, headers })).status).toBe(
          200,
        );
      }
    });
  });

  describe('bodies', () => {
    const send = { method: 'POST', token: TOKEN };
    it('are given exactly as they came', async () => {
      const server = await start();
      const body = Buffer.from([0, 255, 13, 10, 195, 40]);
      const reply = await ask(server, '/echo/write/%E4%B8%AD?a=1&a=2?', { ...send, body });
      expect(reply.json()).toMatchObject({
        body: '00ff0d0ac328',
        name: '中',
        query: [
          ['a', '1'],
          ['a', '2?'],
        ],
      });
    });

    it('are refused when they are too large, told or not', async () => {
      const server = await start();
      const fits = await ask(server, '/echo/write/x', { ...send, body: 'x'.repeat(1_000) });
      expect(fits.status).toBe(200);
      const told = await ask(server, '/echo/write/x', { ...send, body: 'x'.repeat(1_001) });
      expect([told.status, told.json()['code']]).toEqual([413, 'input.too_large']);
      // Nothing of it is sent: the length alone is enough.
      const head = `POST /echo/write/x HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Length: 1001\r\n\r\n`;
      expect(await speak(server, head)).toMatch(/^HTTP\/1\.1 413/);
      const chunked = { ...send, headers: { 'transfer-encoding': 'chunked' }, body: 'x'.repeat(200_000) };
      expect((await ask(server, '/echo/write/x', chunked)).status).toBe(413);
    });

    it('are refused when they do not come, or heads do not', async () => {
      const server = await start({ timeouts: { bodyMs: 60, headersMs: 150 } });
      const head = `POST /echo/write/x HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Length: 9\r\n\r\n`;
      expect(await speak(server, head, 'abc')).toMatch(/^HTTP\/1\.1 408 [\s\S]*did not arrive in time/);
      expect(await speak(server, 'GET /healthz HTTP/1.1\r\nHost: 127')).toMatch(/^HTTP\/1\.1 408/);
    });
  });

  describe('what goes wrong inside', () => {
    it.each([
      [fail('input.invalid', 'no such field'), 400, 'input.invalid', 'no such field'],
      [fail('input.not_found', 'no such incident'), 404, 'input.not_found', 'no such incident'],
      [fail('input.conflict', 'decided already'), 409, 'input.conflict', 'decided already'],
      [fail('store.busy', 'locked'), 503, 'store.busy', 'locked'],
      [fail('backend.unreachable', 'no Prometheus'), 502, 'backend.unreachable', 'no Prometheus'],
      [fail('input.forbidden', `not with ${TOKEN}`), 403, 'input.forbidden', 'not with [secret:known]'],
      [
        fail('store.corrupt', '/secret/place is broken'),
        503,
        'store.corrupt',
        'A file of Hermes is damaged: this was not taken in. Its log says which one and how to mend it.',
      ],
      [
        Object.assign(new Error('no space left'), { code: 'ENOSPC', path: '/secret/place' }),
        503,
        'store.full',
        'The disk of Hermes is full: this was not taken in. Send it again when there is room.',
      ],
      [new Error('/secret/place'), 500, 'internal', 'Something went wrong on this side.'],
    ])('%s becomes %i %s', async (thrown, status, code, detail) => {
      const handle = () => Promise.reject(thrown);
      const server = await start({
        routes: [defineRoute({ method: 'GET', path: '/x', access: 'public', handle })],
      });
      const reply = await ask(server, '/x');
      expect(reply.json()).toMatchObject({ status, code, detail });
      expect(reply.status).toBe(status);
      expect(Number(reply.headers['retry-after']) > 0).toBe(status === 503);
      expect('detail_zh' in (reply.json() as object)).toBe(/^store\.(?:full|corrupt)$/.test(code));
      expect(reply.text).not.toContain('/secret');
      if (status >= 500)
        expect(server.lines.at(-1)).toMatchObject({ level: 'error', event: 'request.failed' });
    });

    it('keeps tokens, queries and bodies out of its log, and names the route', async () => {
      const server = await start();
      await ask(server, `/echo/write/abc?key=${TOKEN}`, {
        method: 'POST',
        token: TOKEN,
        body: 'secret body',
      });
      await ask(server, `/lost/${TOKEN}?q=1`);
      const [served, lost] = server.lines.filter(({ event }) => event === 'request.served');
      expect(served).toMatchObject({
        route: '/echo/write/:name',
        status: 200,
        principal: 'token:token',
        address: '127.0.0.1',
        requestId: expect.stringMatching(/^req_/),
      });
      expect(lost).toMatchObject({ path: '/lost/[secret:known]', status: 404 });
      expect(JSON.stringify(server.lines)).not.toMatch(/secret body|a-token-for|\bkey=|\babc\b/);
    });
  });

  describe('health', () => {
    it('says little to strangers', async () => {
      const server = await start({
        readiness: () => Promise.resolve({ ok: false, details: { store: 'locked' } }),
      });
      expect((await ask(server, '/healthz')).json()).toEqual({ status: 'ok' });
      const ready = await ask(server, '/readyz');
      expect([ready.status, ready.json()]).toEqual([503, { status: 'unavailable' }]);
      expect((await ask(server, '/readyz/details')).status).toBe(401);
      const details = await ask(server, '/readyz/details', { token: READ_ONLY });
      expect(details.json()).toEqual({ status: 'unavailable', details: { store: 'locked' } });
    });

    it('counts for Prometheus by route, not by path', async () => {
      const server = await start({
        gauges: [{ name: 'hermes_incidents_open', help: 'Open.', read: () => 7 }],
      });
      await ask(server, '/echo/read/some-name', { token: TOKEN });
      await ask(server, '/echo/read/x', { token: 'a-token-that-nobody-has' });
      await ask(server, '/some/where');
      expect((await ask(server, '/metrics')).status).toBe(401);
      const { text, headers } = await ask(server, '/metrics', { token: READ_ONLY });
      expect(headers['content-type']).toMatch(/^text\/plain/);
      expect(text).toContain(
        'hermes_http_requests_total{method="GET",route="/echo/read/:name",status="200"} 1',
      );
      expect(text).toContain('hermes_http_requests_total{method="GET",route="none",status="404"} 1');
      expect(text).toContain('hermes_http_refused_tokens_total 2');
      expect(text).toContain('hermes_incidents_open 7');
      expect(text).not.toContain('some-name');
    });
  });

  describe('closing', () => {
    const slowRoute = (begun: PromiseWithResolvers<void>, ms: number) =>
      defineRoute({
        method: 'GET',
        path: '/slow',
        access: 'public',
        async handle({ signal }) {
          begun.resolve();
          const slept = await sleep(ms, signal);
          return { status: 200, body: slept ? 'done' : 'cut' };
        },
      });

    it('lets what is being served end, and takes nothing new', async () => {
      const begun = Promise.withResolvers<void>();
      const server = await start({ routes: [slowRoute(begun, 100)] });
      const reply = ask(server, '/slow');
      await begun.promise;
      const closed = server.close();
      await expect(ask(server, '/healthz')).rejects.toThrow(/ECONNREFUSED/);
      expect(await reply).toMatchObject({ status: 200, text: 'done', headers: { connection: 'close' } });
      await closed;
    });

    it('cuts what does not end in time', async () => {
      const begun = Promise.withResolvers<void>();
      const server = await start({ routes: [slowRoute(begun, 60_000)], drainMs: 50 });
      const reply = ask(server, '/slow').catch((error: Error) => error);
      await begun.promise;
      await server.close();
      expect(await reply).toBeInstanceOf(Error);
    });

    it('leaves nothing behind after a thousand requests', async () => {
      const handles = () =>
        process.getActiveResourcesInfo().filter((name) => /TCP|Timeout/.test(name)).length;
      const before = handles();
      const server = await scriptedServer();
      for (let round = 0; round < 20; round++) {
        const replies = await Promise.all(
          Array.from({ length: 50 }, () =>
            ask(server, '/echo/write/x', { method: 'POST', token: TOKEN, body: 'x' }),
          ),
        );
        expect(replies.every(({ status }) => status === 200)).toBe(true);
      }
      await server.close();
      // The last sockets of the asking side are let go a little later.
      await expect.poll(handles, { interval: 5 }).toBeLessThanOrEqual(before);
      expect(server.lines.filter(({ event }) => event === 'request.served')).toHaveLength(1_000);
    });
  });
});
