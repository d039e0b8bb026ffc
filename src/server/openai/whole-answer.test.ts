import { afterEach, describe, expect, it } from 'vitest';
import { sleep } from '#kit/sleep';
import { defineRoute } from '#spec/ports';
import { type RunningServer, startServer } from '../start-server.ts';
import { wholeAnswer } from './whole-answer.ts';

let server: RunningServer | undefined;
afterEach(() => server?.close());

const never = new AbortController().signal;

/** A server that cuts what is silent, before a route that takes its time. */
async function ask(body: () => Promise<object>): Promise<Response> {
  server = await startServer({
    routes: [
      defineRoute({
        method: 'GET',
        path: '/slow',
        access: 'read',
        handle: () => wholeAnswer(body(), { 'x-kept': 'yes' }, 40),
      }),
    ],
    auth: { enabled: false, header: 'x-token' },
    host: '127.0.0.1',
    port: 0,
    timeouts: { idleMs: 300 },
    readiness: async () => ({ ok: true, details: {} }),
  });
  return fetch(`${server.url}/slow`);
}

describe('wholeAnswer', () => {
  it('is plain where it is quick', async () => {
    const response = await ask(async () => ({ a: 1 }));
    expect(response.headers.get('content-length')).not.toBeNull();
    expect(await response.json()).toEqual({ a: 1 });
  });

  it('lives longer than the server lets a silent connection', async () => {
    const response = await ask(async () => {
      await sleep(900, never);
      return { a: 1 };
    });
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('x-kept')).toBe('yes');
    expect(await response.json()).toEqual({ a: 1 });
  });

  it('is cut where it fails late, so that nobody takes it for whole', async () => {
    const response = await ask(async () => {
      await sleep(150, never);
      throw new Error('late');
    });
    await expect(response.text()).rejects.toThrow(/terminated|aborted|socket/);
  });
});
