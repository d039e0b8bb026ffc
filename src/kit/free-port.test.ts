import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { freePort } from './free-port.ts';

it('finds a port that can be listened on', async () => {
  const port = await freePort();
  const server = createServer();
  const listening = new Promise<number>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(port));
  });
  expect(await listening).toBe(port);
  await new Promise((closed) => void server.close(closed));
});
