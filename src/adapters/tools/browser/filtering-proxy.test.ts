import { createServer, request, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FilteringProxy, openFilteringProxy } from './filtering-proxy.ts';

let site: Server;
let port: number;
let seen: string[];
let proxy: FilteringProxy | undefined;
beforeEach(async () => {
  seen = [];
  site = createServer((incoming, response) => {
    seen.push(`${incoming.method} ${incoming.headers.host}${incoming.url}`);
    response.setHeader('set-cookie', ['a=1', 'b=2']);
    incoming.pipe(response);
  });
  await new Promise<void>((ready) => site.listen(0, '127.0.0.1', ready));
  port = (site.address() as AddressInfo).port;
});
afterEach(async () => {
  await proxy?.close();
  proxy = undefined;
  await new Promise((closed) => {
    site.close(closed);
    site.closeAllConnections();
  });
});

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly cookies: readonly string[];
}

function ask(url: string, body = ''): Promise<Answer> {
  const target = new URL(proxy?.url ?? '');
  return new Promise((done, failed) => {
    const outgoing = request({
      host: target.hostname,
      port: target.port,
      path: url,
      method: 'POST',
      headers: { host: new URL(url).host },
    });
    outgoing.on('error', failed).on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () =>
        done({ status: response.statusCode ?? 0, text, cookies: response.headers['set-cookie'] ?? [] }),
      );
    });
    outgoing.end(body);
  });
}

/** The first line of the answer to a CONNECT, and a socket if it was let through. */
function connectTo(authority: string): Promise<string> {
  const target = new URL(proxy?.url ?? '');
  return new Promise((done, failed) => {
    const socket = connect(Number(target.port), target.hostname, () =>
      socket.write(`CONNECT ${authority} HTTP/1.1\r\n\r\n`),
    );
    socket.on('error', failed).once('data', (bytes) => {
      done(bytes.toString().split('\r\n', 1)[0] ?? '');
      socket.destroy();
    });
  });
}

describe('openFilteringProxy', () => {
  it('passes on requests to hosts that are allowed, whole', async () => {
    proxy = await openFilteringProxy({ allow: [`127.0.0.1:${port}`] });
    const answer = await ask(`http://127.0.0.1:${port}/a?b=c`, 'the body');
    expect(answer).toEqual({ status: 200, text: 'the body', cookies: ['a=1', 'b=2'] });
    expect(seen).toEqual([`POST 127.0.0.1:${port}/a?b=c`]);
    expect(await connectTo(`127.0.0.1:${port}`)).toBe('HTTP/1.1 200 Connected');
    expect(proxy.refusals()).toEqual([]);
  });

  it.each([
    '127.0.0.1',
    'localhost',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '2130706433',
    '0x7f.1',
    '169.254.169.254',
    '10.1.2.3',
    '0.0.0.0',
  ])('refuses %s', async (host) => {
    proxy = await openFilteringProxy({ allow: [] });
    const answer = await ask(`http://${host}:${port}/`);
    expect(answer.status).toBe(403);
    expect(await connectTo(`${host}:${port}`)).toBe('HTTP/1.1 403 Refused');
    expect(proxy.refusals()).not.toEqual([]);
    expect(proxy.refusals()).toEqual([]);
    expect(seen).toEqual([]);
  });

  it('refuses a name of which any address is private, and looks it up once', async () => {
    const asked: string[] = [];
    const resolve = async (name: string) => {
      asked.push(name);
      return name === 'mixed.test' ? ['93.184.216.34', '127.0.0.1'] : ['127.0.0.1'];
    };
    proxy = await openFilteringProxy({ allow: [`shop.test:${port}`], resolve });
    expect(await ask(`http://mixed.test:${port}/`)).toMatchObject({ status: 403 });
    expect(proxy.refusals()).toEqual([`mixed.test:${port} leads to a loopback address`]);
    expect(await ask(`http://shop.test:${port}/`)).toMatchObject({ status: 200 });
    expect(await ask(`http://shop.test.evil.test:${port}/`)).toMatchObject({ status: 403 });
    expect(asked).toEqual(['mixed.test', 'shop.test', 'shop.test.evil.test']);
    expect(seen).toEqual([`POST shop.test:${port}/`]);
  });

  it('an allowed host is allowed on its port only', async () => {
    proxy = await openFilteringProxy({ allow: ['127.0.0.1:1'] });
    expect(await ask(`http://127.0.0.1:${port}/`)).toMatchObject({ status: 403 });
  });

  it('tells what does not resolve, does not answer, or is no web address', async () => {
    const resolve = async () => {
      throw new Error('ENOTFOUND');
    };
    proxy = await openFilteringProxy({ allow: ['127.0.0.1:1'], resolve });
    expect(await ask('http://nowhere.test/')).toMatchObject({ status: 502 });
    expect(await connectTo('nowhere.test:443')).toBe('HTTP/1.1 502 Not Resolved');
    expect(await ask('http://127.0.0.1:1/')).toMatchObject({ status: 502 });
    expect(await ask('ftp://127.0.0.1/')).toMatchObject({ status: 400 });
  });
});
