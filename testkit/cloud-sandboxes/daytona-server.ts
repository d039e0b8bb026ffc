import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Fault, faultList } from './faults.ts';
import { type LocalCommand, startLocalCommand } from './local-command.ts';
import { acceptWebSocket, type ServerSocket } from './web-socket.ts';

export interface DaytonaServer {
  /** The address of the API. */
  readonly url: string;
  readonly key: string;
  /** Every request, as `POST /sandbox`. */
  readonly requests: readonly string[];
  /** The bodies of the requests that created a sandbox. */
  readonly created: readonly Record<string, unknown>[];
  fault(fault: Fault): void;
  /** Cuts the line of the next logs after so many bytes. */
  cutLogs(afterBytes: number, times: number): void;
  /** The sandbox goes away, with everything that runs in it. */
  vanish(): void;
  /** The sandbox is stopped, as after a long pause. */
  stop(): void;
  close(): Promise<void>;
}

interface Session {
  readonly commands: Map<string, { readonly command: LocalCommand; readonly log: Buffer[] }>;
}

const LABEL = { stdout: Buffer.from([1, 1, 1]), stderr: Buffer.from([2, 2, 2]) };
const NORMAL = 1_000;

/** A server on loopback that speaks the REST API of Daytona and runs the commands on this machine. */
export async function startDaytonaServer(): Promise<DaytonaServer> {
  const key = 'dtn_0123456789abcdef0123456789abcdef';
  const faults = faultList();
  const requests: string[] = [];
  const created: Record<string, unknown>[] = [];
  const sessions = new Map<string, Session>();
  const sockets = new Set<ServerSocket>();
  const cuts: number[] = [];
  let state: 'none' | 'starting' | 'started' | 'stopped' = 'none';
  let counter = 0;

  const endAll = () => {
    for (const { commands } of sessions.values()) for (const { command } of commands.values()) command.kill();
    sessions.clear();
    for (const socket of sockets) socket.cut();
  };

  const server = createServer((request, response) => {
    const line = `${request.method} ${request.url}`;
    requests.push(line);
    void answer(request, line).then(
      (found) => reply(response, found),
      (thrown: unknown) => reply(response, { status: 500, body: { message: String(thrown) } }),
    );
  });

  const answer = async (request: IncomingMessage, line: string): Promise<Answer> => {
    const body = await readBody(request);
    const fault = faults.meet(line);
    if (fault)
      return {
        status: fault.status,
        headers: fault.headers,
        text: fault.body ?? '{"message":"a planned fault"}',
      };
    const given = request.headers.authorization;
    if (given !== `Bearer ${key}`) return { status: 401, body: { message: `Invalid credentials: ${given}` } };
    const url = new URL(request.url ?? '/', 'http://x');
    if (url.pathname.startsWith('/toolbox/')) return toolbox(request, url, body);
    return manage(request.method ?? '', url.pathname, body);
  };

  const manage = (method: string, path: string, body: Buffer): Answer => {
    if (method === 'POST' && path === '/api/sandbox') {
      created.push(JSON.parse(body.toString('utf8')));
      state = 'starting';
      return { status: 200, body: { id: 'sb 1', state: 'creating' } };
    }
    if (state === 'none') return { status: 404, body: { message: 'Sandbox not found' } };
    if (method === 'DELETE') {
      endAll();
      state = 'none';
      return { status: 200, body: {} };
    }
    if (path.endsWith('/toolbox-proxy-url'))
      return { status: 200, body: { url: `http://127.0.0.1:${port()}/toolbox` } };
    if (path.endsWith('/start')) state = 'started';
    if (state === 'starting') state = 'started';
    return { status: 200, body: { id: 'sb 1', state } };
  };

  const toolbox = async (request: IncomingMessage, url: URL, body: Buffer): Promise<Answer> => {
    if (state !== 'started')
      return { status: state === 'none' ? 404 : 400, body: { message: 'Sandbox is not running' } };
    const path = url.pathname.replace('/toolbox/sb%201', '');
    const file = url.searchParams.get('path') ?? '';
    const json = () => JSON.parse(body.toString('utf8')) as Record<string, string>;
    if (path === '/process/execute') return execute(json().command ?? '');
    if (path === '/files/download') return download(file);
    if (path === '/files/upload') return upload(request, file, body);
    const [, , , session = '', verb, command = '', what] = path.split('/');
    if (!session) {
      sessions.set(json().sessionId ?? '', { commands: new Map() });
      return { status: 201 };
    }
    const open = sessions.get(session);
    if (!open) return { status: 404, body: { message: 'session not found' } };
    if (request.method === 'DELETE') {
      for (const { command: running } of open.commands.values()) running.kill();
      sessions.delete(session);
      return { status: 204 };
    }
    if (verb === 'exec') {
      const id = `cmd-${++counter}`;
      const log: Buffer[] = [];
      const running = startLocalCommand(['sh', '-c', json().command ?? ''], (stream, bytes) => {
        log.push(LABEL[stream], bytes);
      });
      open.commands.set(id, { command: running, log });
      return { status: 202, body: { cmdId: id } };
    }
    const found = open.commands.get(command);
    if (!found) return { status: 404, body: { message: 'command not found' } };
    if (what === 'input') {
      // As the service does: a line at a time, and never an end.
      const data = json().data ?? '';
      found.command.write(Buffer.from(data.endsWith('\n') ? data : `${data}\n`));
      return { status: 204 };
    }
    return { status: 200, body: { id: command, exitCode: codeOf(found.command) } };
  };

  server.on('upgrade', (request: IncomingMessage, stream: Duplex) => {
    requests.push(`UPGRADE ${request.url}`);
    const [, , , , , session = '', , command = ''] = (request.url ?? '').split('/');
    const found = sessions.get(session)?.commands.get(command);
    if (!found || request.headers.authorization !== `Bearer ${key}`) return void stream.destroy();
    const socket = acceptWebSocket(request, stream);
    sockets.add(socket);
    sendLog(socket, found, cuts.shift());
  });

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = () => (server.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${port()}/api`,
    key,
    requests,
    created,
    fault: faults.add,
    cutLogs: (afterBytes, times) => void cuts.push(...Array.from({ length: times }, () => afterBytes)),
    vanish: () => {
      state = 'none';
      endAll();
    },
    stop: () => {
      state = 'stopped';
      endAll();
    },
    close: async () => {
      endAll();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function sendLog(
  socket: ServerSocket,
  { command, log }: { readonly command: LocalCommand; readonly log: Buffer[] },
  cutAfter: number | undefined,
): void {
  let sent = 0;
  const send = () => {
    const all = Buffer.concat(log);
    const until = Math.min(all.length, cutAfter ?? all.length);
    if (until > sent) socket.send(all.subarray(sent, until));
    sent = Math.max(sent, until);
    if (cutAfter !== undefined && sent >= cutAfter) socket.cut();
    else if (codeOf(command) !== undefined) socket.close(NORMAL);
    if (socket.closed) stop();
  };
  const stop = command.onChange(send);
  send();
}

const codeOf = (command: LocalCommand): number | undefined =>
  command.code ?? (command.signal === undefined ? undefined : 128 + command.signal);

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: unknown;
  readonly text?: string;
  readonly bytes?: Uint8Array;
}

function reply(response: ServerResponse, { status, headers, body, text, bytes }: Answer): void {
  response.writeHead(status, headers);
  response.end(bytes ?? text ?? (body === undefined ? '' : JSON.stringify(body)));
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

function execute(line: string): Promise<Answer> {
  return new Promise((resolve) => {
    const command = startLocalCommand(['sh', '-c', line]);
    command.closeInput();
    const look = () => {
      const exitCode = codeOf(command);
      if (exitCode === undefined) return;
      stop();
      const result = Buffer.concat([command.printed('stdout'), command.printed('stderr')]).toString('utf8');
      resolve({ status: 200, body: { exitCode, result } });
    };
    const stop = command.onChange(look);
  });
}

async function download(path: string): Promise<Answer> {
  try {
    return { status: 200, bytes: await readFile(path) };
  } catch {
    return { status: 404, body: { message: `file not found: ${path}` } };
  }
}

async function upload(request: IncomingMessage, path: string, body: Buffer): Promise<Answer> {
  const type = request.headers['content-type'] ?? '';
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  const file = form.get('file');
  if (!(file instanceof File)) return { status: 400, body: { message: 'file is required' } };
  try {
    await mkdir(path.slice(0, path.lastIndexOf('/')) || '/', { recursive: true });
    await writeFile(path, new Uint8Array(await file.arrayBuffer()));
    return { status: 200, body: {} };
  } catch (thrown) {
    return { status: 400, body: { message: (thrown as Error).message } };
  }
}
