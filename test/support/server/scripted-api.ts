import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Host, openHost } from '#host';
import { type RunningServer, startServer } from '../../../src/server/start-server.ts';
import { openaiRoutes } from '../../../src/server/openai/openai-routes.ts';

/** The API in front of a home whose model is a scripted one, for tests. */
export interface ScriptedApi {
  readonly url: string;
  readonly token: string;
  readonly readOnlyToken: string;
  /** The folder that tools work in; `notes.txt` is in it. */
  readonly cwd: string;
  host(): Host;
  /** A request as it is, with the token unless told otherwise. */
  post(path: string, body: unknown, more?: PostOptions): Promise<Response>;
  /** Closes the home and opens it again, as a new process would. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

interface PostOptions {
  readonly headers?: Record<string, string>;
  readonly token?: string;
  readonly signal?: AbortSignal;
}

const TOKEN = 'a-token-for-writing-0123';
const READ_ONLY = 'a-token-for-reading-4567';

export async function scriptedApi(modelUrl: string, config = ''): Promise<ScriptedApi> {
  const root = await mkdtemp(join(tmpdir(), 'hermes-api-'));
  const home = join(root, 'home');
  const cwd = join(root, 'project');
  await Promise.all([mkdir(home), mkdir(join(cwd, '.git'), { recursive: true })]);
  const model = `provider: scripted\n  model: script-1\n  max_retries: 0\n`;
  const provider = `base_url: ${modelUrl}/v1\n    api_mode: chat_completions\n    api_key: k-123456\n`;
  await writeFile(
    join(home, 'config.yaml'),
    `llm:\n  ${model}providers:\n  scripted:\n    ${provider}${config}`,
  );
  await writeFile(join(home, 'backends.yaml'), 'default: local\n');
  await writeFile(join(cwd, 'notes.txt'), 'pool size 20\n');
  const env = { HERMES_HOME: home, HOME: root, PATH: process.env.PATH };

  let host: Host;
  let server: RunningServer;
  const start = async () => {
    host = await openHost({ env, version: 'test' });
    server = await startServer({
      routes: openaiRoutes(host, { cwd, language: 'en' }),
      auth: { enabled: true, token: TOKEN, readOnlyToken: READ_ONLY, header: 'x-runbook-token' },
      host: '127.0.0.1',
      port: 0,
      drainMs: 500,
      readiness: async () => ({ ok: true, details: {} }),
    });
  };
  const stop = async () => {
    await server.close();
    await host.close();
  };
  await start();
  return {
    get url() {
      return server.url;
    },
    token: TOKEN,
    readOnlyToken: READ_ONLY,
    cwd,
    host: () => host,
    post: (path, body, { headers = {}, token = TOKEN, signal } = {}) =>
      fetch(`${server.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
        ...(signal ? { signal } : {}),
      }),
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

/** The data of server-sent events, in order; `[DONE]` as it stands. */
export async function sentEvents(response: Response): Promise<(Record<string, unknown> | '[DONE]')[]> {
  const text = await response.text();
  return text.split('\n\n').flatMap((frame) => {
    const data = /^data: (.*)$/m.exec(frame)?.[1];
    if (data === undefined) return [];
    return [data === '[DONE]' ? data : (JSON.parse(data) as Record<string, unknown>)];
  });
}

/** What a scripted model was sent, as far as tests look at it. */
export interface SentBody {
  readonly model: string;
  readonly messages: readonly Readonly<Record<string, unknown>>[];
  readonly tools: readonly { readonly function: { readonly name: string } }[];
}

/** The body of a request that a scripted model got; from the end when the number is negative. */
export function sentBody(
  model: { readonly requests: readonly { readonly body: unknown }[] },
  at = -1,
): SentBody {
  const request = model.requests.at(at);
  if (!request) throw new Error('the model was not asked');
  return request.body as SentBody;
}
