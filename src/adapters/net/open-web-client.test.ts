import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync, brotliCompressSync, deflateRawSync, deflateSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { WebRequest } from '#spec/ports';
import { type LoopbackHandler, startLoopback } from '#testkit/web';
import { openWebClient, type WebClientOptions } from './open-web-client.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function serve(handler: LoopbackHandler, tls?: Parameters<typeof startLoopback>[1]) {
  const server = await startLoopback(handler, tls);
  closers.push(() => server.close());
  return server;
}

function client(options: WebClientOptions = {}) {
  const web = openWebClient(options);
  closers.push(() => web.close());
  return (url: string, more: Partial<WebRequest> = {}, signal = new AbortController().signal) =>
    web.fetch({ url, maxBytes: 10_000, timeoutMs: 5_000, ...more }, signal);
}

const refusal = { record: { code: 'tool.refused' } };
const failure = (message: string) => ({
  record: { code: 'tool.failed', message: expect.stringContaining(message) as string },
});
const text = ({ body }: { body: Uint8Array }) => Buffer.from(body).toString();

describe('openWebClient: addresses', () => {
  it.each([
    ['a private address', ['10.0.0.7']],
    ['a mapped address', ['::ffff:127.0.0.1']],
    ['metadata', ['169.254.169.254']],
    ['public and private mixed', ['93.184.216.34', '127.0.0.1']],
    ['private and public mixed', ['fe80::1', '93.184.216.34']],
    ['something that is no address', ['localhost']],
  ])('refuses a name that leads to %s', async (_, addresses) => {
    const get = client({ resolve: async () => addresses });
    await expect(get('http://example.com/')).rejects.toMatchObject(refusal);
  });

  it('resolves once and connects to what it checked, by the name that was asked for', async () => {
    const server = await serve(({ headers }) => ({ body: headers.host ?? '' }));
    let asked = 0;
    const rebinding = async () => (asked++ === 0 ? ['127.0.0.1'] : ['169.254.169.254']);
    const get = client({ resolve: rebinding, allowPrivate: [`shop.example:${server.port}`] });
    const answer = await get(`http://shop.example:${server.port}/`);
    expect(text(answer)).toBe(`shop.example:${server.port}`);
    expect(answer.connection).toMatchObject({ address: '127.0.0.1' });
    expect(asked).toBe(1);
  });

  it('refuses metadata behind a name that is excepted', async () => {
    const get = client({ resolve: async () => ['169.254.169.254'], allowPrivate: ['home.example:80'] });
    await expect(get('http://home.example/')).rejects.toMatchObject(refusal);
  });

  it('does not wait for a resolver that never answers', async () => {
    const get = client({ resolve: () => new Promise(() => undefined) });
    await expect(get('http://slow.example/', { timeoutMs: 50 })).rejects.toMatchObject(
      failure('within 0.05 s'),
    );
  });

  it('says that a name is unknown', async () => {
    const unknown = Object.assign(new Error('no'), { code: 'ENOTFOUND' });
    const get = client({ resolve: () => Promise.reject(unknown) });
    await expect(get('http://nowhere.example/')).rejects.toMatchObject(failure('was not found'));
    await expect(client({ resolve: async () => [] })('http://a.example/')).rejects.toMatchObject(
      failure('has no address'),
    );
  });
});

describe('openWebClient: redirects', () => {
  it.each([
    'http://127.0.0.1:1/',
    'http://169.254.169.254/',
    'http://2130706433/',
    '//[::1]/',
    'file:///etc/passwd',
    'http://user@example.com/',
    'http://example.com.:80/',
    'http://internal.lan/',
    'http://example.com:6379/',
    'http://[',
  ])('refuses one to %s', async (location) => {
    const server = await serve(() => ({ status: 302, headers: { location } }));
    const get = client({ allowPrivate: [`127.0.0.1:${server.port}`] });
    await expect(get(server.url)).rejects.toMatchObject(refusal);
  });

  it('refuses one whose name leads to a private address', async () => {
    const server = await serve(() => ({ status: 302, headers: { location: 'http://rebound.example/' } }));
    const get = client({ allowPrivate: [`127.0.0.1:${server.port}`], resolve: async () => ['10.0.0.1'] });
    await expect(get(server.url)).rejects.toMatchObject(refusal);
  });

  it('takes credentials along to the same origin only', async () => {
    const other = await serve(({ headers }) => ({ body: headers }));
    const server = await serve(({ path, headers }) => {
      if (path === '/away') return { status: 302, headers: { location: `${other.url}/` } };
      return path === '/here' ? { status: 302, headers: { location: '/end' } } : { body: headers };
    });
    const get = client({ allowPrivate: [`127.0.0.1:${server.port}`, `127.0.0.1:${other.port}`] });
    const headers = { Authorization: 'Bearer s3cret', Cookie: 'a=b', 'X-Api-Key': 'k', Accept: 'text/html' };
    expect(JSON.parse(text(await get(`${server.url}/here`, { headers })))).toMatchObject({
      authorization: 'Bearer s3cret',
      cookie: 'a=b',
      'x-api-key': 'k',
    });
    const away = JSON.parse(text(await get(`${server.url}/away`, { headers }))) as Record<string, string>;
    expect(away).toMatchObject({ accept: 'text/html' });
    expect(Object.keys(away)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/authorization|cookie|x-api-key/) as string]),
    );
    expect(JSON.stringify(away)).not.toContain('s3cret');
  });

  it('does not carry what was sent to another host', async () => {
    const other = await serve(() => ({}));
    const server = await serve(() => ({ status: 307, headers: { location: other.url } }));
    const get = client({ allowPrivate: [`127.0.0.1:${server.port}`, `127.0.0.1:${other.port}`] });
    await expect(get(server.url, { method: 'POST', body: 'data' })).rejects.toMatchObject(refusal);
    expect(other.requests).toHaveLength(0);
  });
});

describe('openWebClient: answers', () => {
  const packed: readonly (readonly [string, Buffer])[] = [
    ['gzip', gzipSync('text')],
    ['deflate', deflateSync('text')],
    ['deflate', deflateRawSync('text')],
    ['br', brotliCompressSync('text')],
    ['GZIP', gzipSync('text')],
  ];
  it.each(packed)('unpacks %s', async (encoding, body) => {
    const server = await serve(() => ({ headers: { 'content-encoding': encoding }, body }));
    const get = client({ allowPrivate: [server.url] });
    expect(text(await get(server.url))).toBe('text');
  });

  it('holds no more of a bomb than it was told to', async () => {
    const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024));
    const server = await serve(() => ({ headers: { 'content-encoding': 'gzip' }, body: bomb }));
    const before = process.memoryUsage().arrayBuffers;
    const answer = await client({ allowPrivate: [server.url] })(server.url, { maxBytes: 100_000 });
    expect(answer).toMatchObject({ cut: true });
    expect(answer.body.length).toBe(100_000);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20 * 1024 * 1024);
  });

  it('ends a stream that decompresses to nothing', async () => {
    const empty = gzipSync('');
    const server = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      const more = () => {
        while (!response.destroyed && response.write(empty));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
      return undefined;
    });
    const answer = await client({ allowPrivate: [server.url] })(server.url);
    expect(answer).toMatchObject({ cut: true });
  });

  it('fails on what it cannot unpack', async () => {
    const server = await serve(({ path }) => ({
      headers: { 'content-encoding': path === '/odd' ? 'gzip, gzip' : 'gzip' },
      body: 'not gzip at all',
    }));
    const get = client({ allowPrivate: [server.url] });
    await expect(get(`${server.url}/odd`)).rejects.toMatchObject(failure('cannot be read'));
    await expect(get(`${server.url}/bad`)).rejects.toMatchObject(failure('cannot be decompressed'));
  });

  it('ends a body that drips', async () => {
    const server = await serve((_, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(drip));
      return undefined;
    });
    const get = client({ allowPrivate: [server.url] });
    await expect(get(server.url, { timeoutMs: 200 })).rejects.toMatchObject({
      record: { code: 'tool.failed', retry: { again: true }, details: { cause: 'timeout' } },
    });
  });

  it('says what is wrong with a server that speaks something else or breaks off', async () => {
    const raw = createServer((socket) =>
      socket.on('error', () => undefined).end('SSH-2.0-OpenSSH\r\n', () => socket.destroy()),
    );
    await new Promise<void>((resolve) => raw.listen(0, '127.0.0.1', resolve));
    closers.push(() => new Promise((resolve) => raw.close(resolve)));
    const { port } = raw.address() as AddressInfo;
    const get = client({ allowPrivate: [`127.0.0.1:${port}`] });
    await expect(get(`http://127.0.0.1:${port}/`)).rejects.toMatchObject(failure('does not speak HTTP'));
    const server = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => response.destroy());
      return undefined;
    });
    await expect(client({ allowPrivate: [server.url] })(server.url)).rejects.toMatchObject(
      failure('closed the connection'),
    );
  });

  it('asks for no more at once than it was told to', async () => {
    let [now, most] = [0, 0];
    const server = await serve(async () => {
      now += 1;
      most = Math.max(most, now);
      await new Promise((resolve) => setImmediate(resolve));
      now -= 1;
      return { body: 'x' };
    });
    const get = client({ allowPrivate: [server.url], maxConcurrent: 2 });
    await Promise.all(Array.from({ length: 8 }, () => get(server.url)));
    expect(most).toBeLessThanOrEqual(2);
    expect(server.requests).toHaveLength(8);
  });

  it('ends what is under way and what waits when it is closed', async () => {
    const server = await serve(() => undefined);
    const web = openWebClient({ allowPrivate: [server.url], maxConcurrent: 1 });
    const ask = () =>
      web.fetch({ url: server.url, maxBytes: 1, timeoutMs: 5_000 }, new AbortController().signal);
    const both = [ask(), ask()];
    const ended = Promise.allSettled(both);
    await web.close();
    for (const { status } of await ended) expect(status).toBe('rejected');
  });
});

const OPENSSL = ['/usr/bin/openssl', '/usr/local/bin/openssl', '/opt/homebrew/bin/openssl'].find((path) =>
  existsSync(path),
);

/** A key and a certificate for a name, signed by itself. */
function certificate(name: string, days: number) {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-cert-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`, '-days', String(days)];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  execFileSync(OPENSSL ?? '', ['req', '-x509', ...kind, '-keyout', key, '-out', cert, ...subject], {
    stdio: 'ignore',
  });
  const pair = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  rmSync(folder, { recursive: true });
  return pair;
}

describe('openWebClient: TLS (needs the openssl program)', () => {
  it.skipIf(!OPENSSL)('checks the certificate against the name, and tells its dates', async () => {
    const pair = certificate('shop.example', 30);
    const server = await serve(() => ({ body: 'secure' }), pair);
    const allowPrivate = [`shop.example:${server.port}`, `other.example:${server.port}`];
    const resolve = async () => ['127.0.0.1'];
    const get = client({ resolve, allowPrivate, ca: [pair.cert] });
    const answer = await get(`https://shop.example:${server.port}/`);
    expect(text(answer)).toBe('secure');
    expect(answer.connection?.tls).toMatchObject({ subject: 'shop.example', issuer: 'shop.example' });
    const days = (Date.parse(answer.connection?.tls?.validTo ?? '') - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(30);
    await expect(get(`https://other.example:${server.port}/`)).rejects.toMatchObject(
      failure('for another name'),
    );
    await expect(
      client({ resolve, allowPrivate })(`https://shop.example:${server.port}/`),
    ).rejects.toMatchObject(failure('certificate'));
  });
});
