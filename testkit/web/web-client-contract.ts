import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WebClient, WebRequest } from '#spec/ports';
import { type LoopbackHandler, type LoopbackServer, startLoopback } from './loopback-server.ts';

export interface WebClientUnderTest {
  readonly web: WebClient;
  close(): Promise<void>;
}

const ROUTES: Readonly<Record<string, LoopbackHandler>> = {
  '/hello': () => ({ headers: { 'content-type': 'text/plain', 'x-two': ['a', 'b'] }, body: 'hello' }),
  '/echo': ({ method, headers, body }) => ({
    body: { method, tell: headers['x-tell'], body: body.toString() },
  }),
  '/long': () => ({ body: 'x'.repeat(100_000) }),
  '/packed': () => ({ headers: { 'content-encoding': 'gzip' }, body: gzipSync('packed text') }),
  '/to-hello': () => ({ status: 302, headers: { location: '/hello' } }),
  '/round': () => ({ status: 302, headers: { location: '/round' } }),
  '/see-other': () => ({ status: 303, headers: { location: '/echo' } }),
  '/again': () => ({ status: 307, headers: { location: '/echo' } }),
  '/wrong': () => ({ status: 503, body: 'down' }),
  '/never': () => undefined,
  '/stalls': (_, response) => {
    response.writeHead(200).write('begins');
    return undefined;
  },
};

/** What every implementation of the `WebClient` port holds. It must be able to reach 127.0.0.1 at the given port. */
export function webClientContract(
  name: string,
  open: (allowed: string) => WebClientUnderTest | Promise<WebClientUnderTest>,
): void {
  describe(`WebClient contract: ${name}`, () => {
    let server: LoopbackServer;
    let under: WebClientUnderTest;
    beforeAll(async () => {
      server = await startLoopback((request, response) =>
        (ROUTES[request.path] ?? (() => ({ status: 404 })))(request, response),
      );
      under = await open(`127.0.0.1:${server.port}`);
    });
    afterAll(async () => {
      await under.close();
      await server.close();
    });
    const get = (path: string, more: Partial<WebRequest> = {}, signal = new AbortController().signal) =>
      under.web.fetch({ url: server.url + path, maxBytes: 50_000, timeoutMs: 10_000, ...more }, signal);
    const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();

    it('gives status, headers in lower case and body', async () => {
      const answer = await get('/hello');
      expect(answer).toMatchObject({ status: 200, cut: false, url: `${server.url}/hello` });
      expect(answer.headers).toMatchObject({ 'content-type': 'text/plain', 'x-two': 'a, b' });
      expect(text(answer.body)).toBe('hello');
    });
    it('sends method, headers and body', async () => {
      const answer = await get('/echo', { method: 'POST', headers: { 'x-tell': 'yes' }, body: 'sent' });
      expect(JSON.parse(text(answer.body))).toEqual({ method: 'POST', tell: 'yes', body: 'sent' });
      const bytes = await get('/echo', { method: 'PUT', body: new TextEncoder().encode('bytes') });
      expect(JSON.parse(text(bytes.body))).toMatchObject({ method: 'PUT', body: 'bytes' });
    });
    it('cuts an answer that is too long, and says so', async () => {
      const answer = await get('/long', { maxBytes: 1_000 });
      expect(answer.body.length).toBe(1_000);
      expect(answer.cut).toBe(true);
      expect(await get('/long', { maxBytes: 100_000 })).toMatchObject({ cut: false });
    });
    it('unpacks what is compressed', async () => {
      expect(text((await get('/packed')).body)).toBe('packed text');
    });
    it('gives an answer of failure as an answer', async () => {
      expect(await get('/wrong')).toMatchObject({ status: 503 });
    });
    it('follows redirects, and leaves them when it is told so', async () => {
      expect(await get('/to-hello')).toMatchObject({ status: 200, url: `${server.url}/hello` });
      const left = await get('/to-hello', { redirects: 0 });
      expect(left).toMatchObject({ status: 302, url: `${server.url}/to-hello` });
      expect(left.headers.location).toBe('/hello');
      await expect(get('/round')).rejects.toMatchObject({ record: { code: 'tool.failed' } });
    });
    it('turns a POST into a GET where the redirect says so', async () => {
      const post = { method: 'POST', body: 'sent' };
      expect(JSON.parse(text((await get('/see-other', post)).body))).toMatchObject({
        method: 'GET',
        body: '',
      });
      expect(JSON.parse(text((await get('/again', post)).body))).toMatchObject({
        method: 'POST',
        body: 'sent',
      });
    });
    it('ends with its time, before and in the middle of an answer', async () => {
      const late = { record: { code: 'tool.failed' } };
      await expect(get('/never', { timeoutMs: 100 })).rejects.toMatchObject(late);
      await expect(get('/stalls', { timeoutMs: 100 })).rejects.toMatchObject(late);
    });
    it('ends when it is interrupted', async () => {
      const controller = new AbortController();
      const running = get('/never', {}, controller.signal);
      controller.abort();
      await expect(running).rejects.toMatchObject({ record: { code: 'tool.failed' } });
    });
    it('fails with an error of ours where nothing listens', async () => {
      const gone = await startLoopback(() => ({}));
      await gone.close();
      const there = await open(`127.0.0.1:${gone.port}`);
      const asked = there.web.fetch(
        { url: gone.url, maxBytes: 10, timeoutMs: 5_000 },
        new AbortController().signal,
      );
      await expect(asked).rejects.toMatchObject({ record: { code: 'tool.failed' } });
      await there.close();
    });
  });
}
