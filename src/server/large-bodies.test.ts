import { request } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { defineRoute } from '#spec/ports';
import { ask, READ_ONLY, scriptedServer, TOKEN } from '#support/server/scripted-server';

it('a person sends few large bodies at once, and keeps nobody else from it', async () => {
  const route = defineRoute({
    method: 'POST',
    path: '/large',
    access: 'read',
    maxBytes: 10_000,
    handle: ({ body }) => Promise.resolve({ status: 200, body: { size: body.length } }),
  });
  const server = await scriptedServer({ routes: [route], maxBytes: 1_000 });
  onTestFinished(() => server.close());
  const begin = () => {
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-length': '5000' };
    const sending = request(`${server.url}/large`, { method: 'POST', headers, agent: false });
    const answered = new Promise<number>((resolve) => {
      sending.on('response', (incoming) => resolve(incoming.resume().statusCode ?? 0));
      sending.on('error', () => resolve(0));
    });
    sending.write('x');
    return { answered, finish: () => sending.end('x'.repeat(4_999)) };
  };
  const post = (token: string, size: number) =>
    ask(server, '/large', { method: 'POST', token, body: 'x'.repeat(size) });
  const first = Array.from({ length: 8 }, begin);
  await expect.poll(async () => (await post(TOKEN, 5_000)).status).toBe(429);
  expect((await post(TOKEN, 500)).status).toBe(200);
  expect((await post(READ_ONLY, 5_000)).status).toBe(200);
  for (const { finish } of first) finish();
  expect(await Promise.all(first.map(({ answered }) => answered))).toEqual(Array(8).fill(200));
  expect((await post(TOKEN, 5_000)).status).toBe(200);
});
