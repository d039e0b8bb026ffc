import { randomBytes } from 'node:crypto';
import type {
  AuthProvider,
  InsufficientScopeError,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { AppError, fail } from '#kit/app-error';
import { isRecord } from '#kit/is-record';
import type { McpAuth } from '../mcp-server-config.ts';
import { isSecure } from '#adapters/io/secure-url';
import type { Fetch } from './guarded-fetch.ts';
import { openLoopbackRedirect } from './loopback-redirect.ts';

/** Keeps one JSON value for each server, secret as a key. */
export interface TokenStore {
  read(server: string): Promise<unknown>;
  write(server: string, value: unknown): Promise<void>;
}

export interface SignInDeps {
  readonly server: string;
  readonly url: URL;
  readonly auth: Extract<McpAuth, { type: 'oauth' }>;
  readonly tokens: TokenStore;
  readonly fetch: Fetch;
  /** Absent where nobody sits in front of a browser. */
  readonly openBrowser: ((url: string) => Promise<void>) | undefined;
  readonly signInMs: number;
}

export interface SignIn extends AuthProvider {
  token(): Promise<string | undefined>;
  /** Signs in again for a scope that a request turned out to need. False: that was tried already. */
  stepUp(error: InsufficientScopeError): Promise<boolean>;
}

/** What is kept of a sign-in. It belongs to one address: a server that moved starts anew. */
interface Stored {
  url: string;
  redirect?: string;
  client?: StoredOAuthClientInformation;
  tokens?: StoredOAuthTokens;
}

interface Challenge {
  readonly resourceMetadataUrl?: URL;
  readonly scope?: string;
  readonly force?: boolean;
}

/** OAuth 2.1 with PKCE for one server: refreshes in silence, and signs in through the browser when it has to. */
export function oauthSignIn(deps: SignInDeps): SignIn {
  let stored: Stored | undefined;
  let running: Promise<void> | undefined;
  const stepped = new Set<string>();
  const load = async (): Promise<Stored> => (stored ??= await readStored(deps));
  const save = async (): Promise<void> => deps.tokens.write(deps.server, stored);
  const once = (challenge: Challenge): Promise<void> => {
    running ??= load()
      .then((state) => signIn(deps, state, save, challenge))
      .finally(() => {
        running = undefined;
      });
    return running;
  };
  return {
    token: async () => (await load()).tokens?.access_token,
    async onUnauthorized({ response }) {
      const { extractWWWAuthenticateParams } = await import('@modelcontextprotocol/client');
      const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
      await once({ ...(resourceMetadataUrl && { resourceMetadataUrl }), ...(scope && { scope }) });
    },
    async stepUp({ requiredScope, resourceMetadataUrl }) {
      const { computeScopeUnion } = await import('@modelcontextprotocol/client');
      const scope = computeScopeUnion((await load()).tokens?.scope, deps.auth.scope, requiredScope);
      if (scope === undefined || stepped.has(scope)) return false;
      stepped.add(scope);
      await once({ scope, force: true, ...(resourceMetadataUrl && { resourceMetadataUrl }) });
      return true;
    },
  };
}

async function readStored({ tokens, server, url }: SignInDeps): Promise<Stored> {
  const value = await tokens.read(server);
  return isRecord(value) && value.url === url.href ? (value as unknown as Stored) : { url: url.href };
}

async function signIn(
  deps: SignInDeps,
  stored: Stored,
  save: () => Promise<void>,
  challenge: Challenge,
): Promise<void> {
  const { auth } = await import('@modelcontextprotocol/client');
  const silent = !challenge.force && stored.tokens?.refresh_token !== undefined;
  if (!deps.openBrowser && !silent) throw needsPerson(deps.server);
  const port = Number(URL.parse(stored.redirect ?? '')?.port ?? 0);
  const redirect = deps.openBrowser && (await openLoopbackRedirect(port));
  try {
    const flow: Flow = { state: randomBytes(24).toString('base64url'), verifier: '' };
    const provider = providerOf(deps, stored, save, redirect?.url ?? stored.redirect ?? '', flow);
    const options = {
      serverUrl: deps.url,
      fetchFn: (input: string | URL, init?: RequestInit) => deps.fetch(input, { ...init, redirect: 'error' }),
      ...(challenge.scope && { scope: challenge.scope }),
      ...(challenge.resourceMetadataUrl && { resourceMetadataUrl: challenge.resourceMetadataUrl }),
    };
    const outcome = await auth(provider, {
      ...options,
      ...(challenge.force && { forceReauthorization: true }),
    });
    if (outcome === 'AUTHORIZED') return;
    if (!redirect || !deps.openBrowser || !flow.page) throw needsPerson(deps.server);
    const arrival = redirect.arrival(flow.state, AbortSignal.timeout(deps.signInMs));
    await Promise.all([deps.openBrowser(flow.page), arrival]);
    const answer = await arrival;
    const code = answer.get('code');
    const iss = answer.get('iss');
    if (code === null) throw fail('tool.failed', `the sign-in at ${deps.server} was refused`);
    await auth(provider, { ...options, authorizationCode: code, ...(iss !== null && { iss }) });
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw fail(
      'tool.failed',
      `sign-in at ${deps.server}: ${error instanceof Error ? error.message : String(error)}`,
      undefined,
      error,
    );
  } finally {
    await redirect?.close();
  }
}

const needsPerson = (server: string): AppError =>
  fail('tool.failed', `${server} needs a sign-in`, `Run: hermes mcp login ${server}`);

interface Flow {
  readonly state: string;
  verifier: string;
  page?: string;
  discovery?: OAuthDiscoveryState;
}

function providerOf(
  { auth }: SignInDeps,
  stored: Stored,
  save: () => Promise<void>,
  redirectUrl: string,
  flow: Flow,
): OAuthClientProvider {
  const fixed: StoredOAuthClientInformation | undefined =
    auth.clientId === undefined
      ? undefined
      : {
          client_id: auth.clientId,
          ...(auth.clientSecret !== undefined && { client_secret: auth.clientSecret }),
          ...(auth.issuer !== undefined && { issuer: auth.issuer }),
        };
  return {
    redirectUrl,
    ...(auth.clientMetadataUrl !== undefined && { clientMetadataUrl: auth.clientMetadataUrl }),
    clientMetadata: {
      client_name: 'Hermes',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      ...(auth.scope !== undefined && { scope: auth.scope }),
    },
    state: () => flow.state,
    // A registration holds for the address it was made with.
    clientInformation: () => fixed ?? (stored.redirect === redirectUrl ? stored.client : undefined),
    async saveClientInformation(information) {
      Object.assign(stored, { client: information, redirect: redirectUrl });
      await save();
    },
    tokens: () => stored.tokens,
    async saveTokens(tokens) {
      stored.tokens = tokens;
      await save();
    },
    redirectToAuthorization(page) {
      if (!isSecure(page.href)) throw new Error(`${page.origin} is no address to open in a browser`);
      flow.page = page.href;
    },
    saveCodeVerifier(verifier) {
      flow.verifier = verifier;
    },
    codeVerifier: () => flow.verifier,
    saveDiscoveryState(discovery) {
      flow.discovery = discovery;
    },
    discoveryState: () => flow.discovery,
    async invalidateCredentials(scope) {
      if (scope === 'all' || scope === 'client') delete stored.client;
      if (scope === 'all' || scope === 'tokens') delete stored.tokens;
      if (scope === 'all' || scope === 'discovery') delete flow.discovery;
      await save();
    },
  };
}
