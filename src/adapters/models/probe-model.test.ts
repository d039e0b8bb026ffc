import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import type { Provider } from '#spec/ports';
import { freePort } from '#kit/free-port';
import { probeModel } from './probe-model.ts';

const ACME: Provider = { id: 'acme', label: 'Acme', endpoints: {}, auth: 'bearer', keys: [] };
const KEY = { id: 'k', label: 'ACME_API_KEY', secret: 'the-secret' };
const signal = new AbortController().signal;

async function serve(status: number, body: unknown): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked };
}
const probe = (baseUrl: string, provider: Partial<Provider> = {}) =>
  probeModel(
    { provider: { ...ACME, ...provider }, baseUrl, model: 'm-1', credential: KEY },
    {},
    signal,
  ).catch((thrown: { record: unknown }) => thrown.record);

it('asks for the list of models and for nothing that costs', async () => {
  const { url, asked } = await serve(200, { data: [{ id: 'm-1' }] });
  expect(await probe(url)).toEqual({ state: 'reached' });
  expect(asked).toEqual(['GET /v1/models Bearer the-secret']);
  const other = await serve(200, { data: [{ id: 'm-2' }] });
  expect(await probe(other.url)).toMatchObject({ state: 'reached', detail: { en: 'it does not list m-1' } });
});

it('tells a wrong key, a server in trouble, a page and nobody apart', async () => {
  const refused = await probe((await serve(401, { error: 'no, the-secret' })).url);
  expect(refused).toMatchObject({ code: 'model.auth', hint: 'Check the key ACME_API_KEY.' });
  expect(JSON.stringify(refused)).not.toContain('the-secret');
  expect(await probe((await serve(500, {})).url)).toMatchObject({ code: 'model.server' });
  expect(await probe((await serve(200, '<html>')).url)).toMatchObject({ code: 'model.bad_response' });
  const port = await freePort();
  expect(await probe(`http://127.0.0.1:${port}/v1`)).toMatchObject({
    code: 'model.network',
    message: `Acme cannot be reached at 127.0.0.1:${port} (ECONNREFUSED).`,
  });
});

it('claims nothing where there is no list to ask for', async () => {
  expect(await probe((await serve(404, {})).url)).toMatchObject({ state: 'not_probed' });
  expect(await probe((await serve(200, {})).url)).toMatchObject({ state: 'not_probed' });
  expect(await probe('http://127.0.0.1:1', { auth: 'aws' })).toMatchObject({ state: 'not_probed' });
});
