import { isRecord } from '#kit/is-record';
import type { AuthScheme, Credential, ListedModel, ProbeFetch, Provider } from '#spec/ports';
import { authorizer } from './wire/authorize.ts';

type Env = Readonly<Record<string, string | undefined>>;

const LIMIT_MS = 4_000;

/** How a question to a server ended that gave nothing. */
export type ListTrouble = { readonly status: number } | { readonly thrown: unknown };

/**
 * Asks a server which models it has. Undefined when it cannot be reached or does not say; `onTrouble` is told why, for
 * each question that gave nothing.
 */
export async function listModels(
  provider: Provider,
  baseUrl: string,
  credential: Credential | undefined,
  env: Env,
  signal: AbortSignal,
  onTrouble: (trouble: ListTrouble) => void = () => undefined,
): Promise<readonly ListedModel[] | undefined> {
  const headers = { accept: 'application/json', ...provider.headers };
  const get = jsonFetch({ auth: provider.auth, credential, env, headers, signal, onTrouble });
  if (provider.listModels) {
    const { origin } = new URL(baseUrl);
    const listed = await provider.listModels((path, body) => get(`${origin}${path}`, body));
    return listed.length ? listed : undefined;
  }
  const [base] = baseUrl.split('?');
  const answer = await get(`${base}/models`);
  const rows = isRecord(answer) ? (answer.data ?? answer.models) : answer;
  if (!Array.isArray(rows)) return undefined;
  return rows.filter(isRecord).flatMap((row) => {
    const name = row.id ?? row.name;
    const id = typeof name === 'string' ? name.replace(/^models\//, '') : '';
    const window = row.context_length ?? row.context_window ?? row.max_model_len ?? row.max_input_tokens;
    return id ? [{ id, ...(typeof window === 'number' ? { contextWindow: window } : {}) }] : [];
  });
}

function jsonFetch({
  auth,
  credential,
  env,
  headers,
  signal,
  onTrouble,
}: {
  readonly auth: AuthScheme;
  readonly credential: Credential | undefined;
  readonly env: Env;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly onTrouble: (trouble: ListTrouble) => void;
}): (url: string, body?: unknown) => ReturnType<ProbeFetch> {
  const authorize = authorizer(auth === 'aws' ? 'none' : auth, credential, env);
  return async (url, body) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const json = text === undefined ? {} : { 'content-type': 'application/json' };
    const proof = await authorize({ url, headers, body: text ?? '' });
    try {
      const response = await fetch(url, {
        method: text === undefined ? 'GET' : 'POST',
        headers: {
          ...headers,
          ...json,
          ...proof,
          ...(auth === 'x-api-key' ? { 'anthropic-version': '2023-06-01' } : {}),
        },
        signal: AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]),
        // A key must not follow a redirect to another host.
        redirect: 'error',
        ...(text === undefined ? {} : { body: text }),
      });
      if (response.ok) return await response.json();
      await response.body?.cancel();
      onTrouble({ status: response.status });
      return undefined;
    } catch (thrown) {
      // Not reachable, or not JSON: the port promises undefined for both.
      onTrouble({ thrown });
      return undefined;
    }
  };
}
