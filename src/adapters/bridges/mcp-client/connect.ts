import { homedir } from 'node:os';
import { pathToFileURL } from 'node:url';
import type { Client, ClientCapabilities, Transport } from '@modelcontextprotocol/client';
import { answerElicitation } from './answer-elicitation.ts';
import { samplingAnswers } from './answer-sampling.ts';
import type { Callers } from './callers.ts';
import type { McpServerConfig } from './mcp-server-config.ts';
import { guardedFetch } from './oauth/guarded-fetch.ts';
import { oauthSignIn, type SignIn } from './oauth/sign-in.ts';
import type { McpClientDeps } from './mcp-client-deps.ts';
import type { TextRing } from './text-ring.ts';

export interface ConnectPlan {
  readonly config: McpServerConfig;
  readonly deps: McpClientDeps;
  readonly callers: Callers;
  readonly output: TextRing;
  readonly onToolsChanged: () => void;
}

export interface Connection {
  readonly client: Client;
  readonly pid: number | undefined;
  readonly signIn?: SignIn;
  close(): Promise<void>;
}

/** More than this many questions to a person in one call is nagging. */
const MOST_QUESTIONS = 5;
const PROBE_MS = 10_000;
const SIGN_IN_MS = 300_000;

/** Where the process of a server stands, and what its relative paths start from. */
export const workingFolder = (config: McpServerConfig, deps: Pick<McpClientDeps, 'roots'>): string =>
  (config.reach.kind === 'stdio' ? config.reach.cwd : undefined) ?? deps.roots()[0] ?? homedir();

/** Starts or reaches a server and agrees on a revision with it: the newest, or what an older server speaks. */
export async function connect(plan: ConnectPlan, signal: AbortSignal): Promise<Connection> {
  const { config } = plan;
  if (config.reach.kind === 'http') return attempt(plan, 'auto', signal);
  const died = { before: false };
  try {
    return await attempt(plan, 'auto', signal, () => {
      died.before = true;
    });
  } catch (error) {
    // Some older servers end when the first thing they hear is not `initialize`.
    if (!died.before || signal.aborted) throw error;
    return attempt(plan, 'legacy', signal);
  }
}

async function attempt(
  plan: ConnectPlan,
  mode: 'auto' | 'legacy',
  signal: AbortSignal,
  onDeath?: () => void,
): Promise<Connection> {
  const { client, transport, signIn } = await prepare(plan, mode);
  Object.assign(transport, onDeath && { onclose: onDeath });
  const stop = () => void transport.close();
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    // The caller's signal is the deadline; the SDK's own must not come before it, a sign-in may take minutes.
    await client.connect(transport, { timeout: SIGN_IN_MS * 2 });
    signal.throwIfAborted();
  } catch (error) {
    await transport.close();
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
  const pid = 'pid' in transport && typeof transport.pid === 'number' ? transport.pid : undefined;
  return { client, pid, ...(signIn && { signIn }), close: () => closeBoth(client, transport, plan) };
}

/** A session that is over should not linger at the server, and a server that does not care must not hold us up. */
async function closeBoth(client: Client, transport: Transport, { config, deps }: ConnectPlan): Promise<void> {
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  if (transport instanceof StreamableHTTPClientTransport && transport.sessionId !== undefined) {
    const gone = transport.terminateSession().catch((thrown: unknown) =>
      deps.log({
        server: config.name,
        text: `its session could not be ended: ${String(thrown)}`,
        calm: true,
      }),
    );
    await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, 2_000).unref())]);
  }
  await client.close();
}

async function prepare(
  plan: ConnectPlan,
  mode: 'auto' | 'legacy',
): Promise<{ client: Client; transport: Transport; signIn?: SignIn }> {
  const { Client } = await import('@modelcontextprotocol/client');
  const { config, deps, callers } = plan;
  const client = new Client(
    { name: 'hermes', version: deps.version },
    {
      capabilities: capabilitiesOf(config, deps),
      versionNegotiation: { mode, probe: { timeoutMs: Math.min(PROBE_MS, config.connectTimeoutMs / 2) } },
      inputRequired: { maxRounds: MOST_QUESTIONS + 1 },
      listChanged: { tools: { autoRefresh: false, onChanged: () => plan.onToolsChanged() } },
    },
  );
  client.setRequestHandler('roots/list', () => ({
    roots: rootsOf(config, deps).map((path) => ({ uri: pathToFileURL(path).href })),
  }));
  if (deps.sample && config.sampling !== 'never') {
    const answer = samplingAnswers(config, callers, {
      sample: deps.sample,
      ...(deps.elicit && { ask: deps.elicit }),
      now: deps.now,
      clean: deps.clean,
    });
    client.setRequestHandler('sampling/createMessage', ({ params }, { mcpReq }) =>
      answer(params, mcpReq.signal),
    );
  }
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    const caller = callers.only();
    if (caller && ++caller.asked > MOST_QUESTIONS) return { action: 'cancel' };
    const release = caller?.hold();
    try {
      const ask = caller?.ask ?? deps.elicit;
      const { openBrowser, clean } = deps;
      return await answerElicitation(config.name, params, { ask, openBrowser, clean });
    } finally {
      release?.();
    }
  });
  return { client, ...(await transportOf(plan)) };
}

/** Servers open up to what they are told here, so that a rule about paths goes before the workspace. */
const rootsOf = ({ permissions }: McpServerConfig, deps: McpClientDeps): readonly string[] =>
  permissions.allowedPaths ?? deps.roots();

const capabilitiesOf = (config: McpServerConfig, deps: McpClientDeps): ClientCapabilities => ({
  roots: {},
  ...(deps.sample && config.sampling !== 'never' && { sampling: {} }),
  // Without `applyDefaults`: what a server proposes is an answer only when the person chose it.
  elicitation: { form: {}, ...(deps.openBrowser && { url: {} }) },
});

async function transportOf({
  config,
  deps,
  output,
}: ConnectPlan): Promise<{ transport: Transport; signIn?: SignIn }> {
  const { reach } = config;
  if (reach.kind === 'stdio') {
    const { StdioTransport } = await import('./stdio-transport.ts');
    const env = serverEnvironment(deps.environment, reach.env);
    const cwd = workingFolder(config, deps);
    return { transport: new StdioTransport({ command: reach.command, args: reach.args, env, cwd, output }) };
  }
  const sdk = await import('@modelcontextprotocol/client');
  const url = new URL(reach.url);
  const fetch = guardedFetch(url, {
    own: deps.fetch,
    elsewhere: deps.fetchElsewhere,
    headers: reach.headers,
  });
  const { auth } = reach;
  const signIn =
    auth.type === 'oauth'
      ? oauthSignIn({
          server: config.name,
          url,
          auth,
          tokens: deps.tokens,
          fetch,
          openBrowser: deps.openBrowser,
          signInMs: SIGN_IN_MS,
        })
      : undefined;
  const shared = auth.type === 'client_credentials' && {
    clientId: auth.clientId,
    ...(auth.scope !== undefined && { scope: auth.scope }),
    ...(auth.issuer !== undefined && { expectedIssuer: auth.issuer }),
  };
  const machine =
    shared && auth.type === 'client_credentials'
      ? auth.privateKey === undefined
        ? new sdk.ClientCredentialsProvider({ ...shared, clientSecret: auth.clientSecret ?? '' })
        : new sdk.PrivateKeyJwtProvider({
            ...shared,
            privateKey: auth.privateKey,
            algorithm: auth.algorithm ?? 'RS256',
          })
      : undefined;
  const authProvider = signIn ?? machine;
  const transport = new sdk.StreamableHTTPClientTransport(url, {
    fetch,
    requestInit: { headers: { ...reach.headers } },
    onInsufficientScope: 'throw',
    ...(authProvider && { authProvider }),
  });
  return { transport, ...(signIn && { signIn }) };
}

const FROM_OURS =
  process.platform === 'win32'
    ? [
        'PATH',
        'PATHEXT',
        'SYSTEMROOT',
        'COMSPEC',
        'TEMP',
        'USERPROFILE',
        'APPDATA',
        'LOCALAPPDATA',
        'HOMEDRIVE',
        'HOMEPATH',
      ]
    : ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR'];

/** All that a server sees of an environment: how to find programs and its home, and what its entry gives it. */
function serverEnvironment(
  ours: Readonly<Record<string, string | undefined>>,
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  const kept = FROM_OURS.flatMap((name): [string, string][] => {
    const value = ours[name];
    return value === undefined ? [] : [[name, value]];
  });
  return { ...Object.fromEntries(kept), ...given };
}
