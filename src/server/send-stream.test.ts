import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { defineRoute, type RouteRequest } from '#spec/ports';
import { ask, scriptedServer, TOKEN, type UnderTest } from '#support/server/scripted-server';
import { eventFrame, type PlacedEvent, resumeAfter } from './event-frame.ts';
import { openEventHub } from './event-hub.ts';
import type { ServerOptions } from './start-server.ts';

interface Listener {
  readonly status: number | undefined;
  readonly headers: IncomingMessage['headers'];
  /** Resolves to all that was heard as soon as it fits; rejects when the stream ends before. */
  until(pattern: RegExp): Promise<string>;
  readonly ended: Promise<unknown>;
  leave(): void;
}

function listen(server: UnderTest, headers: Record<string, string> = {}): Promise<Listener> {
  return new Promise((resolve, reject) => {
    const authorization = `Bearer ${TOKEN}`;
    const asked = get(
      {
        host: '127.0.0.1',
        port: server.port,
        path: '/events',
        agent: false,
        headers: { authorization, ...headers },
      },
      (incoming) => {
        let heard = '';
        incoming.on('data', (chunk: Buffer) => (heard += chunk.toString()));
        incoming.on('error', () => undefined);
        const ended = new Promise<void>((over) => void incoming.on('close', () => over()));
        resolve({
          status: incoming.statusCode,
          headers: incoming.headers,
          ended,
          leave: () => asked.destroy(),
          async until(pattern) {
            while (!pattern.test(heard)) {
              if (incoming.closed) throw new Error(`ended after: ${heard}`);
              await Promise.race([new Promise((came) => incoming.once('data', came)), ended]);
            }
            return heard;
          },
        });
      },
    );
    asked.on('error', reject);
  });
}

describe('streams', () => {
  const facts: PlacedEvent[] = [];
  const hub = openEventHub({
    everyMs: 5,
    read: async (after, limit) => (after === 'last' ? facts.slice(-1) : facts.slice(after, after + limit)),
  });
  const add = (text: string) => facts.push({ type: 'fact', data: { text }, seq: facts.length + 1 });
  let signals: AbortSignal[] = [];
  const events = defineRoute({
    method: 'GET',
    path: '/events',
    access: 'read',
    handle(request: RouteRequest) {
      signals.push(request.signal);
      return Promise.resolve({
        status: 200,
        body: hub.listen(
          resumeAfter(request.headers, request.query.get('after') ?? undefined) ?? 0,
          request.signal,
        ),
      });
    },
  });
  let server: UnderTest | undefined;
  const start = async (options: Partial<ServerOptions> = {}): Promise<UnderTest> => {
    server = await scriptedServer({ routes: [events], ...options });
    return server;
  };
  afterEach(async () => {
    facts.length = 0;
    signals = [];
    await server?.close();
  });

  it('sends what was there and what comes, each with its place', async () => {
    const running = await start();
    add('one\ntwo');
    const client = await listen(running);
    expect(client.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
    });
    await client.until(/id: 1\nevent: fact\ndata: \{"text":"one\\ntwo"\}\n\n/);
    for (const text of ['b', 'c', 'd', 'e']) add(text);
    const heard = await client.until(/"e"/);
    expect([...heard.matchAll(/^id: (\d+)$/gm)].map(([, id]) => id)).toEqual(['1', '2', '3', '4', '5']);
    client.leave();
  });

  it('goes on after the last event that a client has seen', async () => {
    const running = await start();
    for (const text of ['a', 'b', 'c', 'd']) add(text);
    const client = await listen(running, { 'last-event-id': '3' });
    const heard = await client.until(/"d"/);
    expect(heard).not.toMatch(/"[abc]"/);
    client.leave();
    const bad = await ask(running, '/events', { token: TOKEN, headers: { 'last-event-id': '1; drop' } });
    expect(bad.status).toBe(400);
  });

  it('ends the source when the client leaves', async () => {
    const running = await start();
    const client = await listen(running);
    await client.until(/retry:/);
    const [signal] = signals;
    expect(signal?.aborted).toBe(false);
    const aborted = once(signal as AbortSignal, 'abort');
    client.leave();
    await aborted;
    await expect.poll(() => running.lines.at(-1)).toMatchObject({ route: '/events', aborted: true });
  });

  it('ends streams at once when the server closes', async () => {
    const running = await start({ drainMs: 60_000 });
    const client = await listen(running);
    await client.until(/retry:/);
    await running.close();
    await client.ended;
    expect(signals[0]?.aborted).toBe(true);
  });

  it('says that it is still there', async () => {
    const running = await start({ heartbeatMs: 10 });
    const client = await listen(running);
    add('a');
    expect(await client.until(/: still here\n\n(?:: still here\n\n)+/)).toMatch(/"a"/);
    client.leave();
  });

  it('is kept from pages of others, whatever they say they accept', async () => {
    const running = await start();
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'same-site' }]) {
      expect((await ask(running, '/events', { token: TOKEN, headers })).status).toBe(403);
    }
    expect((await ask(running, '/events')).status).toBe(401);
  });

  it('opens no stream for HEAD', async () => {
    const running = await start();
    const reply = await ask(running, '/events', { token: TOKEN, method: 'HEAD' });
    expect([reply.status, reply.text]).toEqual([200, '']);
  });

  it('asks the source for no more than the client takes', async () => {
    let made = 0;
    async function* flood() {
      while (made < 2_000) {
        made++;
        yield 'x'.repeat(64 * 1024);
      }
    }
    const handle = () => Promise.resolve({ status: 200, body: flood() });
    const running = await start({
      routes: [defineRoute({ method: 'GET', path: '/events', access: 'read', handle })],
    });
    const asked = get({
      host: '127.0.0.1',
      port: running.port,
      path: '/events',
      agent: false,
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    asked.on('error', () => undefined);
    const [incoming] = (await once(asked, 'response')) as [IncomingMessage];
    incoming.pause();
    let last = -1;
    // Nobody reads: it has to come to a rest once the buffers of the two sockets are full.
    await expect
      .poll(
        () => {
          const rests = made === last;
          last = made;
          return rests;
        },
        { interval: 50, timeout: 5_000 },
      )
      .toBe(true);
    expect(made).toBeLessThan(1_000);
    asked.destroy();
  });

  it('cuts the answer when the source breaks, and says so in the log', async () => {
    async function* broken() {
      yield 'data: 1\n\n';
      await Promise.resolve();
      throw new Error('the disk is gone');
    }
    const handle = () => Promise.resolve({ status: 200, body: broken() });
    const running = await start({
      routes: [defineRoute({ method: 'GET', path: '/events', access: 'read', handle })],
    });
    await expect(ask(running, '/events', { token: TOKEN })).rejects.toThrow('aborted');
    await expect.poll(() => running.lines.at(-1)).toMatchObject({ level: 'error', event: 'request.failed' });
  });

  it('are one event a frame, whatever is in it', () => {
    expect(eventFrame({ type: 'a\nb', data: 'c\n\nid: 9', seq: 1 })).toBe(
      'id: 1\nevent: a b\ndata: "c\\n\\nid: 9"\n\n',
    );
    expect(eventFrame({ type: 'c', data: undefined, seq: 2 })).toBe('id: 2\nevent: c\ndata: null\n\n');
  });
});
