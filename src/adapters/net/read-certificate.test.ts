import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer as plainServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type Server } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWebClient, type WebClientOptions } from './open-web-client.ts';

const OPENSSL = '/usr/bin/openssl';
const NEVER = new AbortController().signal;
const listening = (server: { listen(port: number, host: string, done: () => void): unknown }) =>
  new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

describe.skipIf(!existsSync(OPENSSL))('certificate (needs openssl)', () => {
  let folder: string;
  let server: Server;
  let port: number;
  let pem: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hermes-tls-'));
    const words =
      '-x509 -newkey rsa:2048 -nodes -days 5 -subj /CN=shop.test -addext subjectAltName=DNS:shop.test';
    execFileSync(OPENSSL, ['req', ...words.split(' '), '-keyout', 'k', '-out', 'c'], {
      cwd: folder,
      stdio: 'ignore',
    });
    pem = readFileSync(join(folder, 'c'), 'utf8');
    server = createServer({ key: readFileSync(join(folder, 'k')), cert: pem }, (socket) => socket.end());
    server.on('tlsClientError', () => undefined);
    await listening(server);
    ({ port } = server.address() as AddressInfo);
  });
  afterAll(async () => {
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true });
  });
  const resolve = async () => ['127.0.0.1'];
  const shown = (host: string, options: WebClientOptions, at = port, timeoutMs = 5_000) =>
    openWebClient({ resolve, ...options }).certificate({ host, port: at }, timeoutMs, NEVER);

  it('is told with its end, and trusted only where its signer and its name are', async () => {
    const allowPrivate = [`shop.test:${port}`, `other.test:${port}`];
    const trusted = await shown('shop.test', { allowPrivate, ca: [pem] });
    expect(trusted).toMatchObject({ address: '127.0.0.1', subject: 'shop.test', names: ['shop.test'] });
    expect(trusted.distrust).toBeUndefined();
    expect(trusted.validTo.getTime()).toBeGreaterThan(Date.now());
    const cause = async (host: string, ca?: string[]) =>
      (await shown(host, { allowPrivate, ...(ca ? { ca } : {}) })).distrust?.details;
    expect(await cause('shop.test')).toEqual({ cause: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    expect(await cause('other.test', [pem])).toEqual({ cause: 'ERR_TLS_CERT_ALTNAME_INVALID' });
  });

  it.each(['127.0.0.1', 'localhost', '10.0.0.1', '169.254.169.254', 'shop.example'])(
    'is not asked for where a request may not go: %s',
    async (host) => {
      await expect(shown(host, {})).rejects.toMatchObject({ record: { code: 'tool.refused' } });
    },
  );

  it('fails with why, within its time', async () => {
    const mute = plainServer(() => undefined);
    const curt = plainServer((socket) => socket.end('220 hello\r\n'));
    await Promise.all([listening(mute), listening(curt)]);
    const [silent, other] = [mute, curt].map((one) => (one.address() as AddressInfo).port) as [
      number,
      number,
    ];
    const at = (to: number) => shown('shop.test', { allowPrivate: [`shop.test:${to}`] }, to, 300);
    await expect(at(silent)).rejects.toMatchObject({ record: { message: expect.stringContaining('0.3 s') } });
    await expect(at(other)).rejects.toMatchObject({ record: { message: expect.stringContaining('TLS') } });
    curt.close();
    await expect(at(other)).rejects.toMatchObject({ record: { code: 'tool.failed' } });
    mute.close();
  });
});

describe('resolve', () => {
  const asked = (options: WebClientOptions, type: 'address' | 'MX' = 'address') =>
    openWebClient(options).resolve('shop.example', type, 100, NEVER);
  const failing = (code: string) => async () => Promise.reject(Object.assign(new Error(code), { code }));

  it('tells addresses, private ones too: nothing is connected to', async () => {
    expect(await asked({ resolve: async () => ['10.0.0.7', '10.0.0.7'] })).toEqual(['10.0.0.7']);
  });

  it('tells no such name from a resolver that does not answer', async () => {
    expect(await asked({ resolve: failing('ENOTFOUND') })).toEqual([]);
    await expect(asked({ resolve: failing('EAI_AGAIN') })).rejects.toThrow('EAI_AGAIN');
    await expect(asked({ resolve: () => new Promise(() => undefined) })).rejects.toThrow('within 0.1 s');
  });
});
