import {
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { type Fault, faultList } from './faults.ts';
import { type LocalCommand, type StreamName, startLocalCommand } from './local-command.ts';
import { bytesIn, numberIn, readFields, textIn, textsIn, type WireFields, writeFields } from './wire.ts';

export interface ModalServer {
  readonly url: string;
  readonly tokenId: string;
  readonly tokenSecret: string;
  /** Every call, by the name of its method. */
  readonly calls: readonly string[];
  /** The definitions of the sandboxes that were asked for. */
  readonly definitions: readonly WireFields[];
  /** The status is one of gRPC, or of HTTP from 400 on. */
  fault(fault: Fault): void;
  /** Cuts the next answers of a read after so many bytes. */
  cutReads(afterBytes: number, times: number): void;
  /** From now on the router takes only a new token. */
  expireToken(): void;
  /** The sandbox goes away, with everything that runs in it. */
  vanish(): void;
  close(): Promise<void>;
}

const OK = 0;
const NOT_FOUND = 5;
const UNAVAILABLE = 14;
const UNAUTHENTICATED = 16;
const SUCCESS = writeFields({ 1: 1 });

interface Answer {
  readonly code: number;
  readonly message?: string;
  readonly fields?: Buffer;
}

/** A server on loopback that speaks the gRPC protocol of Modal and runs the commands on this machine. */
export async function startModalServer(): Promise<ModalServer> {
  const tokenId = 'ak-0123456789abcdefghijkl';
  const tokenSecret = 'as-0123456789abcdefghijkl';
  const faults = faultList();
  const calls: string[] = [];
  const definitions: WireFields[] = [];
  const execs = new Map<string, LocalCommand>();
  const sessions = new Set<ServerHttp2Session>();
  const cuts: number[] = [];
  let alive = false;
  let age = 1;

  const endAll = () => {
    for (const command of execs.values()) command.kill();
    execs.clear();
  };

  const control = (method: string, fields: WireFields): Answer => {
    const ok = (answer: Parameters<typeof writeFields>[0] = {}): Answer => ({
      code: OK,
      fields: writeFields(answer),
    });
    if (method === 'AuthTokenGet') return ok({ 1: 'token-of-the-session' });
    if (method === 'AppGetOrCreate') return ok({ 1: 'ap-1' });
    if (method === 'ImageGetOrCreate') return ok({ 1: 'im-1' });
    if (method === 'ImageJoinStreaming') return ok({ 1: SUCCESS, 3: '1-0' });
    if (method === 'SandboxCreate') {
      definitions.push(readFields(bytesIn(fields, 2)));
      alive = true;
      return ok({ 1: 'sb-1' });
    }
    if (!alive) return { code: NOT_FOUND, message: 'Sandbox not found' };
    if (method === 'SandboxGetTaskId') return ok({ 1: 'ta-1' });
    if (method === 'TaskGetCommandRouterAccess')
      return ok({ 1: `jwt-${age}`, 2: `http://127.0.0.1:${port()}` });
    if (method === 'SandboxTerminate') {
      alive = false;
      endAll();
      return ok();
    }
    return { code: 12, message: `unknown method ${method}` };
  };

  const router = async (method: string, fields: WireFields, stream: ServerHttp2Stream): Promise<Answer> => {
    if (!alive) return { code: NOT_FOUND, message: 'Task not found' };
    const id = textIn(fields, 2);
    if (method === 'TaskExecStart') {
      if (!execs.has(id)) execs.set(id, startLocalCommand(textsIn(fields, 3)));
      return { code: OK, fields: Buffer.alloc(0) };
    }
    const command = execs.get(id);
    if (!command) return { code: NOT_FOUND, message: 'Exec not found' };
    if (method === 'TaskExecStdinWrite') {
      command.write(bytesIn(fields, 4));
      if (numberIn(fields, 5)) command.closeInput();
      return { code: OK, fields: Buffer.alloc(0) };
    }
    if (method === 'TaskExecWait') {
      await ended(command, stream);
      if (!alive) return { code: NOT_FOUND, message: 'Task not found' };
      return { code: OK, fields: writeFields({ 1: command.code, 2: command.signal }) };
    }
    return read(command, numberIn(fields, 4) === 0 ? 'stdout' : 'stderr', numberIn(fields, 3), stream);
  };

  const read = async (
    command: LocalCommand,
    name: StreamName,
    offset: number,
    stream: ServerHttp2Stream,
  ): Promise<Answer> => {
    const cut = cuts.shift();
    let sent = offset;
    const send = (): boolean => {
      const all = command.printed(name);
      const until = Math.min(all.length, cut === undefined ? all.length : offset + cut);
      if (until > sent && !stream.closed) stream.write(framed(writeFields({ 1: all.subarray(sent, until) })));
      sent = Math.max(sent, until);
      return cut !== undefined && sent >= offset + cut;
    };
    const isCut = await new Promise<boolean>((resolve) => {
      const look = () => {
        const full = send();
        if (!full && !isOver(command) && !stream.closed) return;
        stop();
        resolve(full);
      };
      const stop = command.onChange(look);
      stream.once('close', look);
      look();
    });
    if (isCut) return { code: UNAVAILABLE, message: 'the stream was cut' };
    return alive ? { code: OK } : { code: NOT_FOUND, message: 'Task not found' };
  };

  const answer = async (stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Promise<void> => {
    const [, service = '', method = ''] = String(headers[':path']).split('/');
    calls.push(method);
    const body = await readBody(stream);
    const fault = faults.meet(method);
    if (fault && fault.status >= 400) return respondHttp(stream, fault);
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    const refusal = fault
      ? { code: fault.status, message: fault.body ?? 'a planned fault' }
      : authenticate(service, headers);
    const found = refusal ?? (await serve(service, method, readFields(body.subarray(5)), stream));
    finish(stream, found);
  };

  const serve = (
    service: string,
    method: string,
    fields: WireFields,
    stream: ServerHttp2Stream,
  ): Promise<Answer> =>
    service === 'modal.client.ModalClient'
      ? Promise.resolve(control(method, fields))
      : router(method, fields, stream);

  const authenticate = (service: string, headers: IncomingHttpHeaders): Answer | undefined => {
    const given = `${headers['x-modal-token-id']} ${headers['x-modal-token-secret']}`;
    const right =
      service === 'modal.client.ModalClient'
        ? given === `${tokenId} ${tokenSecret}`
        : headers.authorization === `Bearer jwt-${age}`;
    return right ? undefined : { code: UNAUTHENTICATED, message: `Token ID is malformed: ${given}` };
  };

  const server = createServer();
  server.on('session', (session) => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
  });
  server.on('stream', (stream, headers) => {
    stream.on('error', () => stream.destroy());
    answer(stream, headers).catch(() => stream.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = () => (server.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${port()}`,
    tokenId,
    tokenSecret,
    calls,
    definitions,
    fault: faults.add,
    cutReads: (afterBytes, times) => void cuts.push(...Array.from({ length: times }, () => afterBytes)),
    expireToken: () => {
      age++;
    },
    vanish: () => {
      alive = false;
      endAll();
    },
    close: async () => {
      endAll();
      for (const session of sessions) session.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const isOver = (command: LocalCommand): boolean => command.code !== undefined || command.signal !== undefined;

function ended(command: LocalCommand, stream: ServerHttp2Stream): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!isOver(command) && !stream.closed) return;
      stop();
      resolve();
    };
    const stop = command.onChange(look);
    stream.once('close', look);
    look();
  });
}

function framed(message: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

function finish(stream: ServerHttp2Stream, { code, message, fields }: Answer): void {
  if (stream.closed) return;
  stream.once('wantTrailers', () =>
    stream.sendTrailers({ 'grpc-status': String(code), 'grpc-message': encodeURIComponent(message ?? '') }),
  );
  if (fields) stream.write(framed(fields));
  stream.end();
}

function respondHttp(stream: ServerHttp2Stream, { status, headers, body }: Fault): void {
  stream.respond({ ':status': status, ...headers });
  stream.end(body ?? '');
}

async function readBody(stream: ServerHttp2Stream): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
