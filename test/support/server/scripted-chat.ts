import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Host, openHost } from '#host';
import { openServedChat } from '#app/chat';
import { tokenHash } from '../../../src/server/server-auth.ts';
import { type RunningServer, startServer } from '../../../src/server/start-server.ts';
import { chatRoutes } from '../../../src/server/routes/chat-routes.ts';

/** The chat in front of a home whose model is a scripted one, with four people, for tests. */
export interface ScriptedChat {
  readonly cwd: string;
  host(): Host;
  /** A request by one of the people; of an answer that is no JSON, its type and size. */
  ask(who: Person, path: string, body?: unknown): Promise<{ status: number; body: Told }>;
  /** Connects and follows a conversation. */
  follow(who: Person, session: string, query?: string): Promise<Follower>;
  /** Closes the home and opens it again, as a new process would. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export type Person = 'owner' | 'olga' | 'anna' | 'vera';
type Told = Record<string, unknown>;

export interface Follower {
  /** Everything that is shown, as a page has it. */
  readonly items: Told[];
  readonly questions: readonly Told[];
  readonly status: Told;
  readonly kinds: readonly string[];
  /** The number of the newest event. */
  readonly place: number;
  /** Resolves when this holds, after some event. */
  until(holds: (follower: Follower) => boolean): Promise<void>;
  leave(): void;
}

const TOKENS: Readonly<Record<Person, string>> = {
  owner: 'the-token-of-the-owner-01',
  olga: 'the-token-of-olga-0123456',
  anna: 'the-token-of-anna-0123456',
  vera: 'the-token-of-vera-0123456',
};
const USERS = [
  { user: 'olga', role: 'operator', token: TOKENS.olga },
  { user: 'anna', role: 'approver', tokenHash: tokenHash(TOKENS.anna) },
  { user: 'vera', role: 'viewer', token: TOKENS.vera },
] as const;
const PATIENCE_MS = 20_000;

export async function scriptedChat(modelUrl: string | undefined, config = ''): Promise<ScriptedChat> {
  const root = await mkdtemp(join(tmpdir(), 'hermes-chat-'));
  const home = join(root, 'home');
  const cwd = join(root, 'project');
  await Promise.all([mkdir(home), mkdir(join(cwd, '.git'), { recursive: true })]);
  const llm = 'llm:\n  provider: scripted\n  model: script-1\n  max_retries: 0\n';
  const provider = `    base_url: ${modelUrl}/v1\n    api_mode: chat_completions\n    api_key: k-123456\n`;
  const model = modelUrl ? `${llm}providers:\n  scripted:\n${provider}` : '';
  await writeFile(join(home, 'config.yaml'), `${model}${config}`);
  await writeFile(join(home, 'backends.yaml'), 'default: local\n');
  await writeFile(join(cwd, 'notes.txt'), 'pool size 20\n');
  const env = { HERMES_HOME: home, HOME: root, PATH: process.env.PATH };

  let host: Host;
  let server: RunningServer;
  const start = async () => {
    host = await openHost({ env, version: 'test' });
    server = await startServer({
      routes: chatRoutes(openServedChat(host, { cwd })),
      auth: { enabled: true, token: TOKENS.owner, users: USERS, header: 'x-runbook-token' },
      host: '127.0.0.1',
      port: 0,
      drainMs: 200,
      readiness: async () => ({ ok: true, details: {} }),
    });
  };
  const stop = async () => {
    await server.close();
    await host.close();
  };
  const as = (who: Person) => ({
    authorization: `Bearer ${TOKENS[who]}`,
    'content-type': 'application/json',
  });
  await start();
  return {
    cwd,
    host: () => host,
    ask: async (who, path, body) => {
      const response = await fetch(`${server.url}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: as(who),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const type = response.headers.get('content-type') ?? '';
      if (!type.includes('json'))
        return { status: response.status, body: { type, size: (await response.bytes()).length } };
      return { status: response.status, body: (await response.json()) as Told };
    },
    follow: (who, session, query = '') => follow(`${server.url}/api/chat/${session}/events${query}`, as(who)),
    restart: async () => {
      await stop();
      await start();
    },
    close: async () => {
      await stop();
      await rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}

async function follow(url: string, headers: Record<string, string>): Promise<Follower> {
  const own = new AbortController();
  const response = await fetch(url, { headers, signal: own.signal });
  if (!response.ok || !response.body) throw new Error(`${response.status} ${await response.text()}`);
  const waiting = new Set<() => void>();
  const state = {
    items: [] as Told[],
    questions: [] as Told[],
    status: {} as Told,
    kinds: [] as string[],
    place: 0,
  };
  const hear = (type: string, data: Told): void => {
    state.kinds.push(type);
    if (type === 'snapshot') {
      state.items = [...(data['items'] as Told[])];
      state.questions = data['questions'] as Told[];
      state.status = data['status'] as Told;
    }
    if (type === 'put') state.items[data['index'] as number] = data['item'] as Told;
    const grown = type === 'grow' ? state.items[data['index'] as number] : undefined;
    if (grown) grown['text'] = `${String(grown['text'])}${String(data['text'])}`;
    if (type === 'questions') state.questions = data as unknown as Told[];
    if (type === 'status') state.status = data;
    for (const each of waiting) each();
  };
  const read = async (body: ReadableStream<Uint8Array>): Promise<void> => {
    let rest = '';
    for await (const piece of body.pipeThrough(new TextDecoderStream()) as unknown as AsyncIterable<string>) {
      const parts = `${rest}${piece}`.split('\n\n');
      rest = parts.pop() ?? '';
      for (const frame of parts) {
        const [, place = '0', type = '', data = ''] =
          /^id: (\d+)\nevent: (.*)\ndata: (.*)$/s.exec(frame) ?? [];
        if (!type) continue;
        state.place = Number(place);
        hear(type, JSON.parse(data) as Told);
      }
    }
  };
  read(response.body).catch(() => undefined);
  const follower: Follower = {
    get items() {
      return state.items;
    },
    get questions() {
      return state.questions;
    },
    get status() {
      return state.status;
    },
    get kinds() {
      return state.kinds;
    },
    get place() {
      return state.place;
    },
    until: (holds) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(look);
          reject(new Error(`it did not come: ${JSON.stringify(state).slice(-2_000)}`));
        }, PATIENCE_MS);
        const look = () => {
          if (!holds(follower)) return;
          clearTimeout(timer);
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    leave: () => own.abort(),
  };
  return follower;
}
