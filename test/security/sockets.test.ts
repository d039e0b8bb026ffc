import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tokenOf, type UnderAttack, underAttack } from './served.ts';

/** What no browser and no decent client sends. The server says no, or hangs up, and goes on. */
let place: UnderAttack;
beforeAll(async () => {
  place = await underAttack();
}, 60_000);
afterAll(() => place.close());

const head = (first: string, ...lines: readonly string[]): string =>
  [first, `Host: 127.0.0.1:${place.served.port}`, ...lines, '', ''].join('\r\n');
const bearer = (role: 'viewer' | 'operator' | 'admin') => `Authorization: Bearer ${tokenOf(role)}`;
const statuses = (heard: string): string[] =>
  [...heard.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => status ?? '');
const incidents = () => place.served.incidents.store.list({ limit: 10 });
const isAlive = async () => (await place.ask('/healthz')).status === 200;

describe('a second request within a first', () => {
  const SMUGGLED = () =>
    head('POST /api/incidents HTTP/1.1', bearer('admin'), 'Content-Length: 17') + '{"title":"inner"}';

  it.each<[string, readonly string[]]>([
    ['two lengths', ['Content-Length: 0', 'Content-Length: 300']],
    ['two lengths in one line', ['Content-Length: 0, 300']],
    ['a length and pieces', ['Content-Length: 6', 'Transfer-Encoding: chunked']],
    ['pieces under another name', ['Transfer-Encoding: xchunked']],
    ['pieces twice', ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity']],
    ['pieces behind a blank', ['Transfer-Encoding : chunked']],
    ['a length with a sign', ['Content-Length: +6']],
    ['a length in hex', ['Content-Length: 0x6']],
    ['a folded line', ['X-A: b', ' Content-Length: 5']],
    ['a line without its end', ['X-A: b\nContent-Length: 5']],
  ])('by %s is not seen', async (_, lines) => {
    const outer = head('POST /api/incidents HTTP/1.1', bearer('viewer'), ...lines);
    const heard = await place.speak(
      outer + '0\r\n\r\n' + SMUGGLED(),
      head('GET /healthz HTTP/1.1', 'Connection: close'),
    );
    expect(statuses(heard)).toEqual(['400']);
    expect(await incidents()).toEqual([]);
  });

  it('is one of its own when it comes after: it has to say who sends it', async () => {
    const first = head('GET /api/incidents HTTP/1.1', bearer('admin'));
    const second =
      head('POST /api/incidents HTTP/1.1', 'Content-Length: 17', 'Connection: close') + '{"title":"inner"}';
    expect(statuses(await place.speak(first + second))).toEqual(['200', '401']);
    expect(await incidents()).toEqual([]);
  });

  it('is not the rest of a body that nobody read', async () => {
    const body =
      head('POST /api/incidents HTTP/1.1', bearer('admin'), 'Content-Length: 17') + '{"title":"inner"}';
    const refused = head('POST /api/incidents HTTP/1.1', `Content-Length: ${body.length}`);
    const heard = await place.speak(refused + body, head('GET /healthz HTTP/1.1', 'Connection: close'));
    expect(statuses(heard)[0]).toBe('401');
    expect(statuses(heard)).not.toContain('201');
    expect(await incidents()).toEqual([]);
  });
});

describe('a socket', () => {
  it('is not opened for a page, whoever asks', async () => {
    const { cookie } = await place.signIn('admin');
    const upgrade = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      cookie,
    };
    const own = `http://127.0.0.1:${place.served.port}`;
    for (const path of ['/', '/api/events', '/api/incidents'])
      for (const origin of ['http://evil.example', own])
        expect((await place.ask(path, { headers: { ...upgrade, origin } })).status).toBe(400);
    expect(statuses(await place.speak('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'))).not.toContain('200');
    expect(
      statuses(await place.speak(`CONNECT 127.0.0.1:${place.served.port} HTTP/1.1\r\nHost: x\r\n\r\n`)),
    ).not.toContain('200');
  });

  it('does not take heads without end', async () => {
    const long = head('GET /healthz HTTP/1.1', `X-Long: ${'x'.repeat(40_000)}`);
    expect(statuses(await place.speak(long))).toEqual(['431']);
    const many = head(
      'GET /healthz HTTP/1.1',
      ...Array.from({ length: 3_000 }, (_, index) => `X-${index}: y`),
    );
    expect(statuses(await place.speak(many))).toEqual(['431']);
    const target = head(`GET /${'x'.repeat(40_000)} HTTP/1.1`);
    expect(['414', '431']).toContain(statuses(await place.speak(target))[0]);
    const cookie = head(
      'GET /api/incidents HTTP/1.1',
      `Cookie: ${'a=b; '.repeat(2_500)}`,
      'Connection: close',
    );
    expect(statuses(await place.speak(cookie))).toEqual(['401']);
    expect(await isAlive()).toBe(true);
  });

  it('does not end the process by ending itself', async () => {
    const pieces = head('POST /api/incidents HTTP/1.1', 'Transfer-Encoding: chunked', bearer('operator'));
    for (const piece of [
      '',
      '\r\n',
      'GET',
      '\0\0\0\0',
      '\x16\x03\x01\r\n',
      `${pieces}zz\r\n`,
      `${pieces}5\r\nab`,
    ])
      await place.leave(piece);
    expect(await isAlive()).toBe(true);
  });
});

describe('JSON', () => {
  const deep = (open: string, close: string, times: number, inner = '1'): string =>
    open.repeat(times) + inner + close.repeat(times);
  const DEEP = 100_000;

  it.each<[string, string]>([
    ['POST /api/incidents', deep('[', ']', DEEP)],
    ['POST /api/incidents', `{"title":"deep","severity":"P3","labels":${deep('{"a":', '}', DEEP)}}`],
    ['POST /api/session', deep('[', ']', 1_000)],
    ['POST /gateway/alertmanager', `{"version":"4","alerts":${deep('[', ']', DEEP)}}`],
    ['POST /v1/chat/completions', `{"model":"hermes","messages":${deep('[', ']', DEEP)}}`],
    [
      'POST /v1/chat/completions',
      `{"model":"hermes","messages":[{"role":"user","content":"x"}],"tools":[{"type":"function","function":{"name":"a","parameters":${deep('{"a":', '}', DEEP)}}}]}`,
    ],
    ['POST /v1/responses', `{"model":"hermes","input":"x","metadata":${deep('{"a":', '}', DEEP)}}`],
    ['POST /v1/responses', `{"model":"hermes","input":[${deep('[', ']', DEEP)}]}`],
    ['POST /v1/logs', deep('[', ']', DEEP)],
  ])('without end, to %s, is refused', async (where, body) => {
    const [method, path = ''] = where.split(' ');
    const headers = { 'content-type': 'application/json' };
    const { status, text } = await place.ask(path, {
      method: method ?? '',
      token: tokenOf('admin'),
      headers,
      body,
    });
    expect(status, text.slice(0, 300)).toBeGreaterThanOrEqual(400);
    expect(status, text.slice(0, 300)).toBeLessThan(500);
    expect(await isAlive()).toBe(true);
  });

  it('without end, in telemetry, harms nobody', async () => {
    const value = deep('{"arrayValue":{"values":[', ']}}', 20_000, '{"stringValue":"x"}');
    const attributes = `[{"key":"a","value":${value}}]`;
    const ids = '"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"b7ad6b7169203331"';
    const times = `"startTimeUnixNano":"${Date.now()}000000","endTimeUnixNano":"${Date.now()}000000"`;
    const body = `{"resourceSpans":[{"scopeSpans":[{"spans":[{${ids},"name":"deep",${times},"attributes":${attributes}}]}]}]}`;
    const headers = { 'content-type': 'application/json' };
    const { status } = await place.ask('/v1/traces', {
      method: 'POST',
      token: tokenOf('admin'),
      headers,
      body,
    });
    expect(status).toBeLessThan(500);
    expect(await isAlive()).toBe(true);
  });

  it('names nothing that all objects have', async () => {
    const body =
      '{"title":"proto","severity":"P3","__proto__":{"role":"admin"},"constructor":{"prototype":{"x":1}}}';
    const { status } = await place.ask('/api/incidents', {
      method: 'POST',
      token: tokenOf('operator'),
      body,
    });
    expect([200, 201, 400]).toContain(status);
    expect(({} as Record<string, unknown>)['role']).toBeUndefined();
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });
});
