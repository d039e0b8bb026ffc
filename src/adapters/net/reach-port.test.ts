import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWebClient } from './open-web-client.ts';

let server: Server;
let port: number;
beforeEach(async () => {
  server = createServer((socket) => socket.end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

const reach = (host: string, options: Parameters<typeof openWebClient>[0], at = port) =>
  openWebClient(options).reach(host, at, 5_000, new AbortController().signal);

describe('reach', () => {
  it('finds a port that is named in the configuration', async () => {
    expect(await reach('127.0.0.1', { allowPrivate: [`127.0.0.1:${port}`] })).toMatchObject({
      address: '127.0.0.1',
    });
    const resolve = async () => ['127.0.0.1'];
    expect(await reach('db.corp', { allowPrivate: [`db.corp:${port}`], resolve })).toMatchObject({
      address: '127.0.0.1',
    });
  });

  it('says why a port takes no connection', async () => {
    await new Promise((resolve) => server.close(resolve));
    await expect(reach('127.0.0.1', { allowPrivate: [`127.0.0.1:${port}`] })).rejects.toMatchObject({
      record: { code: 'tool.failed', message: expect.stringContaining('refused the connection') },
    });
    server = createServer().listen(0, '127.0.0.1');
  });

  it.each(['127.0.0.1', 'localhost', '::1', '10.0.0.1', '169.254.169.254', '0x7f.1'])(
    'asks nobody whom a request may not ask either: %s',
    async (host) => {
      await expect(reach(host, {})).rejects.toMatchObject({ record: { code: 'tool.refused' } });
    },
  );

  it('goes to no address behind a public name that may not be asked, nor to metadata at all', async () => {
    const resolve = async () => ['127.0.0.1'];
    await expect(reach('shop.example', { resolve })).rejects.toMatchObject({
      record: { code: 'tool.refused' },
    });
    const metadata = { allowPrivate: ['169.254.169.254:80'] };
    await expect(reach('169.254.169.254', metadata, 80)).rejects.toMatchObject({
      record: { code: 'tool.refused' },
    });
  });

  it('may ask ports that do not speak HTTP', async () => {
    const resolve = async () => ['192.0.2.1'];
    const asked = openWebClient({ resolve }).reach('db.example.org', 25, 50, new AbortController().signal);
    await expect(asked).rejects.not.toMatchObject({ record: { message: expect.stringContaining('HTTP') } });
  });
});
