import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { embedderContract, embeddingsService } from '#testkit/embedder';
import { type LoopbackHandler, type LoopbackServer, startLoopback } from '#testkit/web';
import { openRemoteEmbedder, type RemoteEmbedderOptions } from './open-remote-embedder.ts';

const signal = new AbortController().signal;
let server: LoopbackServer;
beforeAll(async () => {
  server = await startLoopback(embeddingsService('key'));
});
afterAll(() => server.close());

const open = (more: Partial<RemoteEmbedderOptions> = {}) =>
  openRemoteEmbedder({ baseUrl: `${server.url}/v1/`, apiKey: 'key', model: 'small', fetch, ...more });

embedderContract('remote', () => open());

describe('openRemoteEmbedder', () => {
  it('names the space by the model and what was asked of it', async () => {
    const [plain] = await open().embed(['a'], signal);
    const [short] = await open({ dimensions: 16 }).embed(['a'], signal);
    expect([plain?.space, short?.space, short?.vector.length]).toEqual(['small', 'small@16', 16]);
  });

  it('asks in groups', async () => {
    const before = server.requests.length;
    await open().embed(
      Array.from({ length: 70 }, (_, at) => `text ${at}`),
      signal,
    );
    expect(server.requests.length - before).toBe(3);
  });

  const answering = async (handler: LoopbackHandler, more: Partial<RemoteEmbedderOptions> = {}) => {
    const other = await startLoopback(handler);
    try {
      return await open({ baseUrl: other.url, ...more }).embed(['a', 'b'], signal);
    } finally {
      await other.close();
    }
  };

  it.each<[string, LoopbackHandler, object]>([
    ['a wrong key', () => ({ status: 401 }), { code: 'model.auth', retry: { again: false } }],
    [
      'too much at once',
      () => ({ status: 429, headers: { 'retry-after': '2' } }),
      { code: 'model.rate_limited', retry: { again: true, afterMs: 2_000 } },
    ],
    ['a fault', () => ({ status: 503, body: 'down' }), { code: 'model.server', retry: { again: true } }],
    ['no JSON', () => ({ body: 'hello' }), { code: 'model.bad_response' }],
    ['another shape', () => ({ body: { data: 'x' } }), { code: 'model.bad_response' }],
    ['too few vectors', () => ({ body: { data: [{ embedding: [1] }] } }), { code: 'model.bad_response' }],
  ])('tells of %s', async (_, handler, record) => {
    await expect(answering(handler)).rejects.toMatchObject({ record });
  });

  it('waits only so long', async () => {
    await expect(answering(() => undefined, { timeoutMs: 50 })).rejects.toMatchObject({
      record: { code: 'model.timeout' },
    });
  });

  it('tells that nobody is there', async () => {
    const gone = await startLoopback(() => ({}));
    await gone.close();
    await expect(open({ baseUrl: gone.url }).embed(['a'], signal)).rejects.toMatchObject({
      record: { code: 'model.network' },
    });
  });
});
