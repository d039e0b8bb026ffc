import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exchange, NoAnswer, type WireCall } from './exchange.ts';

let received = '';
let answer: (socket: Socket) => void;
const sockets = new Set<Socket>();
const server = createServer((socket) => {
  sockets.add(socket);
  socket.on('error', () => undefined);
  socket.on('close', () => sockets.delete(socket));
  socket.on('data', (bytes) => {
    received += bytes.toString();
    answer(socket);
  });
});

beforeEach(async () => {
  received = '';
  answer = (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

const call = (more: Partial<WireCall> = {}): WireCall => ({
  method: 'POST',
  url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/actions`),
  headers: {},
  body: '{"a":1}',
  timeoutMs: 2_000,
  signal: new AbortController().signal,
  ...more,
});

const failure = (work: Promise<unknown>) => work.then(String, (thrown: unknown) => thrown);

describe('exchange', () => {
  it('asks when the connection stands, and sends not one byte before', async () => {
    let seen = 'not asked';
    const beforeSending = async () => {
      // Long enough for bytes that were sent to be here.
      await new Promise((resolve) => setTimeout(resolve, 50));
      seen = `${sockets.size} connection, received '${received}'`;
    };
    expect(await exchange(call({ beforeSending }))).toEqual({ status: 200, text: '{}' });
    expect(seen).toBe("1 connection, received ''");
    expect(received).toMatch(/^POST \/actions[^]*content-length: 7[^]*\{"a":1\}$/i);
  });

  it('sends nothing when the question is answered with no', async () => {
    const no = new Error('no longer ours');
    expect(await failure(exchange(call({ beforeSending: () => Promise.reject(no) })))).toBe(no);
    await expect.poll(() => sockets.size).toBe(0);
    expect(received).toBe('');
  });

  it('sends nothing when it is stopped, or runs out of time, while the question is open', async () => {
    const stop = new AbortController();
    const stopping = call({ signal: stop.signal, beforeSending: async () => stop.abort() });
    expect(await failure(exchange(stopping))).toMatchObject({ sent: false, message: 'it was stopped' });
    const beforeSending = () => new Promise<void>((resolve) => setTimeout(resolve, 60));
    const slow = call({ timeoutMs: 20, beforeSending });
    expect(await failure(exchange(slow))).toMatchObject({ sent: false, message: 'it took too long' });
    expect(received).toBe('');
  });

  it('knows that a refused connection sent nothing', async () => {
    const wanted = call();
    await new Promise((resolve) => server.close(resolve));
    const thrown = await failure(exchange(wanted));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    expect(thrown).toBeInstanceOf(NoAnswer);
    expect(thrown).toMatchObject({ sent: false, message: 'ECONNREFUSED' });
  });

  it('says that it was sent when the answer is cut, late, or no HTTP', async () => {
    const cut: (typeof answer)[] = [
      (socket) => socket.destroy(),
      (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\n{"status":'),
      (socket) => socket.end('hello\r\n\r\n'),
      () => undefined,
    ];
    for (answer of cut)
      expect(await failure(exchange(call({ timeoutMs: 400 })))).toMatchObject({
        name: 'NoAnswer',
        sent: true,
      });
  });

  it('does not follow a redirect and does not read without end', async () => {
    answer = (socket) =>
      socket.end('HTTP/1.1 307 X\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n');
    expect(await exchange(call())).toMatchObject({ status: 307 });
    answer = (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const more = () => {
        while (socket.writable && socket.write('x'.repeat(500_000)));
      };
      socket.on('drain', more);
      more();
    };
    expect(await failure(exchange(call({ timeoutMs: 10_000 })))).toMatchObject({
      sent: true,
      message: expect.stringContaining('more than'),
    });
  });

  it('does not quote a header that cannot be sent', async () => {
    const thrown = await failure(exchange(call({ headers: { authorization: 'Bearer secret\nvalue' } })));
    expect(thrown).toMatchObject({ name: 'NoAnswer', sent: false });
    expect(JSON.stringify(thrown, Object.getOwnPropertyNames(thrown))).not.toContain('secret');
  });
});
