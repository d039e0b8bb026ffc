import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ToolResult, WebClient } from '#spec/ports';
import { type LoopbackServer, loopbackWeb, startLoopback } from '#testkit/web';
import { toolContext } from '#testkit/tool-context';
import { tool } from './http-check.ts';

let server: LoopbackServer;
beforeEach(async () => {
  server = await startLoopback(({ path, method }) => {
    if (path === '/old') return { status: 301, headers: { location: '/health' } };
    if (path === '/loop') return { status: 302, headers: { location: '/loop' } };
    if (path === '/down') return { status: 503, body: 'maintenance' };
    if (path === '/hang') return undefined;
    return { headers: { 'content-type': 'text/plain' }, body: method === 'HEAD' ? '' : 'all good' };
  });
});
afterEach(() => server.close());

const check = (input: object, web: WebClient = loopbackWeb({ 'https://shop.example': server.url })) =>
  tool.run(tool.input.parse({ url: 'https://shop.example/health', ...input }), toolContext({ web }));
const textOf = ({ content }: ToolResult) =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('');

describe('http_check', () => {
  it('tells status, time and the way that led there', async () => {
    const result = await check({ url: 'https://shop.example/old', expect_text: 'good' });
    expect(result.data).toMatchObject({ up: true, ok: true, status: 200, problems: [] });
    expect(textOf(result)).toMatch(
      /^OK: status 200 in \d+ ms\n301 https:\/\/shop\.example\/old .*\n200 https:\/\/shop\.example\/health /,
    );
  });

  it('tells what is not as expected', async () => {
    const down = await check({ url: 'https://shop.example/down' });
    expect(down.summary).toBe('NOT OK: status 503, expected below 400');
    expect(await check({ url: 'https://shop.example/down', expect_status: 503 })).toMatchObject({
      data: { ok: true },
    });
    expect(await check({ expect_text: 'bad' })).toMatchObject({ data: { ok: false } });
    expect(await check({ method: 'HEAD' })).toMatchObject({ data: { ok: true } });
  });

  it('takes silence for a finding, and a refusal for an error', async () => {
    const hung = await check({ url: 'https://shop.example/hang', timeout_seconds: 1 });
    expect(hung).toMatchObject({ data: { up: false, ok: false } });
    expect(hung.isError).toBeUndefined();
    expect(await check({ url: 'http://10.0.0.1/' })).toMatchObject({ isError: true });
    expect(await check({ url: 'https://shop.example/loop' })).toMatchObject({ isError: true });
  });

  it('counts the days of a certificate where the client tells of it', async () => {
    const days = (number: number) => new Date(Date.now() + number * 86_400_000 + 60_000).toUTCString();
    const withTls = (validTo: string): WebClient => ({
      ...loopbackWeb({}),
      async fetch(request, signal) {
        const found = await loopbackWeb({ 'https://shop.example': server.url }).fetch(request, signal);
        const tls = { protocol: 'TLSv1.3', subject: 'shop.example', issuer: 'R3', validTo };
        return { ...found, connection: { address: '192.0.2.1', dnsMs: 1, connectMs: 2, tls } };
      },
    });
    const fine = await check({}, withTls(days(60)));
    expect(fine.data).toMatchObject({ ok: true, daysLeft: 60 });
    expect(textOf(fine)).toContain('TLSv1.3, certificate of shop.example by R3, 60 days left');
    const soon = await check({}, withTls(days(5)));
    expect(soon.data).toMatchObject({ ok: false, problems: ['the certificate ends in 5 days'] });
  });

  it('tells the gate where it goes', () => {
    expect(tool.deed?.({ url: 'https://shop.example/' })).toEqual({
      sendsTo: ['shop.example'],
      brings: ['untrusted'],
    });
  });
});
