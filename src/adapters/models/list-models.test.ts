import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Provider } from '#spec/ports';
import { listModels } from './list-models.ts';

let respond: (request: IncomingMessage, response: ServerResponse) => void;
let requests: IncomingMessage[] = [];
const server = createServer((request, response) => {
  requests.push(request);
  respond(request, response);
});
let origin = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  requests = [];
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const ACME: Provider = { id: 'acme', label: 'Acme', endpoints: {}, auth: 'bearer', keys: [] };
const KEY = { id: 'k', label: 'KEY', secret: 'the-secret' };
const answer = (body: unknown, status = 200) => {
  respond = (_, response) =>
    void response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
};
const list = (
  provider: Partial<Provider> = {},
  base = `${origin}/v1`,
  signal = new AbortController().signal,
) => listModels({ ...ACME, ...provider }, base, KEY, {}, signal);

describe('listModels', () => {
  it.each([
    ['OpenAI', { data: [{ id: 'a' }, { id: 'b', object: 'model' }] }],
    ['a bare list', [{ id: 'a' }, { id: 'b' }]],
    ['names', { models: [{ name: 'models/a' }, { name: 'b' }] }],
  ])('reads the shape of %s', async (_, body) => {
    answer(body);
    expect(await list()).toEqual([{ id: 'a' }, { id: 'b' }]);
  });

  it.each(['context_length', 'context_window', 'max_model_len', 'max_input_tokens'])(
    'reads a window from %s',
    async (field) => {
      answer({
        data: [
          { id: 'a', [field]: 4_096 },
          { id: 'b', [field]: 'many' },
        ],
      });
      expect(await list()).toEqual([{ id: 'a', contextWindow: 4_096 }, { id: 'b' }]);
    },
  );

  it('passes over entries that make no sense', async () => {
    answer({ data: [null, 'x', {}, { id: '' }, { id: 7 }, { id: { a: 1 } }, { id: 'ok' }] });
    expect(await list()).toEqual([{ id: 'ok' }]);
  });

  it('asks below the base, without its query, as the provider wants to be asked', async () => {
    answer({ data: [] });
    expect(await list({ headers: { 'x-title': 'Hermes' } }, `${origin}/openai/v1?api-version=1`)).toEqual([]);
    await list({ auth: 'x-api-key' });
    await list({ auth: 'aws' });
    const [bearer, key, aws] = requests;
    expect(bearer).toMatchObject({ method: 'GET', url: '/openai/v1/models' });
    expect(bearer?.headers).toMatchObject({ authorization: 'Bearer the-secret', 'x-title': 'Hermes' });
    expect(key?.headers).toMatchObject({ 'x-api-key': 'the-secret', 'anthropic-version': '2023-06-01' });
    expect(aws?.headers).not.toHaveProperty('authorization');
  });

  it('asks the provider’s own way below the origin, with the key', async () => {
    answer({ ok: 1 });
    const listed = await list({
      listModels: async (fetch) => [{ id: JSON.stringify(await fetch('/api/show', { model: 'm' })) }],
    });
    expect(listed).toEqual([{ id: '{"ok":1}' }]);
    expect(requests[0]).toMatchObject({ method: 'POST', url: '/api/show' });
    expect(requests[0]?.headers).toMatchObject({
      authorization: 'Bearer the-secret',
      'content-type': 'application/json',
    });
    expect(await list({ listModels: async () => [] })).toBeUndefined();
  });

  it.each([
    ['an error', '{"error":"no"}', 500],
    ['no key', '{}', 401],
    ['a page', '<html></html>', 200],
    ['something else', '{"hello":1}', 200],
    ['null', 'null', 200],
  ])('is undefined for %s', async (_, body, status) => {
    answer(body, status);
    expect(await list()).toBeUndefined();
  });

  it('is undefined when nobody listens or the caller gives up', async () => {
    expect(await list({}, 'http://127.0.0.1:1/v1')).toBeUndefined();
    const caller = new AbortController();
    respond = () => caller.abort();
    expect(await list({}, undefined, caller.signal)).toBeUndefined();
  });

  it('does not carry a key along to where it is sent on to', async () => {
    respond = (request, response) =>
      request.url === '/v1/models'
        ? void response.writeHead(302, { location: `${origin}/elsewhere` }).end()
        : void response.writeHead(200).end('{"data":[{"id":"a"}]}');
    expect(await list({ auth: 'x-api-key' })).toBeUndefined();
    expect(requests.map(({ url }) => url)).toEqual(['/v1/models']);
  });
});
