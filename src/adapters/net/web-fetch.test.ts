import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWebClient } from './open-web-client.ts';
import { webFetch } from './web-fetch.ts';

let seen: { method: string; type: string; body: string }[] = [];
const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => (body += String(chunk)));
  request.on('end', () => {
    seen.push({ method: request.method ?? '', type: request.headers['content-type'] ?? '', body });
    if (request.url === '/moved') response.writeHead(302, { location: '/' }).end();
    else if (request.url === '/empty') response.writeHead(204).end();
    else response.writeHead(200, { 'content-type': 'application/json', 'x-a': 'b' }).end('{"ok":true}');
  });
});
let url = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

describe('webFetch', () => {
  it('speaks like fetch, to what the web client allows', async () => {
    const get = webFetch(openWebClient({ allowPrivate: [url] }));
    const answer = await get(url, { method: 'POST', body: new URLSearchParams({ code: 'a b' }) });
    expect(answer.headers.get('x-a')).toBe('b');
    expect(await answer.json()).toEqual({ ok: true });
    expect(seen.at(-1)).toEqual({
      method: 'POST',
      type: 'application/x-www-form-urlencoded;charset=UTF-8',
      body: 'code=a+b',
    });
    expect((await get(`${url}/empty`)).status).toBe(204);
  });

  it('follows a redirect only when it is told to', async () => {
    const get = webFetch(openWebClient({ allowPrivate: [url] }));
    await expect(get(`${url}/moved`)).rejects.toThrow('redirect');
    await expect(get(`${url}/moved`, { redirect: 'error' })).rejects.toThrow('redirect');
    expect((await get(`${url}/moved`, { redirect: 'manual' })).status).toBe(302);
    expect(await (await get(`${url}/moved`, { redirect: 'follow' })).json()).toEqual({ ok: true });
  });

  it('does not reach what is private, nor a public name that leads there', async () => {
    seen = [];
    await expect(webFetch(openWebClient())(url)).rejects.toThrow('may not be fetched');
    const rebound = openWebClient({ resolve: async () => ['127.0.0.1'] });
    const named = `http://login.example.com:${new URL(url).port}/token`;
    await expect(webFetch(rebound)(named)).rejects.toThrow('leads to 127.0.0.1');
    expect(seen).toEqual([]);
  });
});
