import type { ErrorCode } from '#spec/data';
import type { TelemetryPlace } from '#spec/ports';
import { boundedText } from '#adapters/io/bounded-text';
import { AppError, fail, inWords } from '#kit/app-error';
import { tell, type Text } from '#kit/text';
import { isRecord } from '#kit/is-record';
import { redact } from '#kit/redact';
import type { ConnectionSettings } from './connection-settings.ts';

export type QueryParameters = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** A backend over HTTP that is only ever read. */
export interface Connection {
  /** For messages. */
  readonly backend: string;
  /** The JSON at a path. Rejects with an `AppError`, or with the signal's reason. */
  read(path: string, parameters: QueryParameters, signal: AbortSignal): Promise<unknown>;
  /** The address of a page for people. */
  link(path: string, parameters?: QueryParameters): string;
}

/** Longer ones go as a form: proxies cut addresses. */
const LONGEST_ADDRESS = 4_000;
const LONGEST_QUOTE = 200;
export const CHECK_ADDRESS = tell(
  'Check that base_url is the address of its API.',
  '检查 base_url 是否为其 API 地址。',
);

/** `backend` is its name for people, such as `Prometheus`. */
export function openConnection(
  backend: string,
  settings: ConnectionSettings,
  { key }: Pick<TelemetryPlace, 'key'>,
): Connection {
  const { headers, secrets } = credentials(settings, key);
  const base = settings.base_url.replace(/\/+$/, '');
  const people = (settings.link_url ?? settings.base_url).replace(/\/+$/, '');
  const problems = { backend, host: new URL(base).host, secrets };

  const exchange = async (path: string, parameters: QueryParameters, signal: AbortSignal) => {
    const query = encode(parameters).toString();
    const isForm = query.length > LONGEST_ADDRESS;
    const response = await fetch(`${base}${path}${isForm || !query ? '' : `?${query}`}`, {
      method: isForm ? 'POST' : 'GET',
      headers: {
        accept: 'application/json',
        ...(isForm ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
        ...headers,
      },
      ...(isForm ? { body: query } : {}),
      // A key is not carried on to another address.
      redirect: 'manual',
      signal,
    });
    const text = await wholeText(response, settings.max_response_mb * 1_000_000, problems);
    return { status: response.status, text, after: response.headers.get('retry-after') };
  };

  return {
    backend,
    async read(path, parameters, signal) {
      signal.throwIfAborted();
      const late = AbortSignal.timeout(settings.timeout_seconds * 1_000);
      const either = AbortSignal.any([signal, late]);
      const once = () => exchange(path, parameters, either);
      const answer = await once()
        // A connection that was kept open may have been closed at the other end meanwhile.
        .catch((error: unknown) =>
          isReset(error) && !either.aborted ? once() : Promise.reject(error as Error),
        )
        .catch((error: unknown) => {
          signal.throwIfAborted();
          throw networkProblem(error, late.aborted ? settings.timeout_seconds : undefined, problems);
        });
      return readAnswer(answer, path, problems);
    },
    link: (path, parameters = {}) => {
      const query = encode(parameters).toString();
      return `${people}${path}${query ? `?${query}` : ''}`;
    },
  };
}

interface Problems {
  readonly backend: string;
  readonly host: string;
  readonly secrets: readonly string[];
}

function credentials(
  { token_key, username, password_key, tenant }: ConnectionSettings,
  key: (name: string) => string | undefined,
) {
  const token = token_key === undefined ? undefined : key(token_key);
  const password = password_key === undefined ? undefined : key(password_key);
  const pair =
    username === undefined ? undefined : Buffer.from(`${username}:${password ?? ''}`).toString('base64');
  const authorization = token ? `Bearer ${token}` : pair ? `Basic ${pair}` : undefined;
  return {
    headers: {
      ...(authorization === undefined ? {} : { authorization }),
      ...(tenant === undefined ? {} : { 'x-scope-orgid': tenant }),
    },
    secrets: [token, password, pair].filter((secret) => secret !== undefined),
  };
}

function encode(parameters: QueryParameters): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) continue;
    for (const one of Array.isArray(value) ? (value as string[]) : [String(value)]) query.append(name, one);
  }
  return query;
}

async function wholeText(response: Response, most: number, { backend }: Problems): Promise<string> {
  const { text, cut } = await boundedText(response, most);
  if (!cut) return text;
  throw fail(
    'backend.bad_response',
    tell(
      `${backend} answered with more than ${most / 1_000_000} MB.`,
      `${backend} 的应答超过 ${most / 1_000_000} MB。`,
    ),
    tell(
      'Ask for less time or fewer services, or raise max_response_mb.',
      '缩短时间、减少服务,或调大 max_response_mb。',
    ),
  );
}

function readAnswer(
  { status, text, after }: { status: number; text: string; after: string | null },
  path: string,
  problems: Problems,
): unknown {
  const { backend } = problems;
  if (status >= 400 || status < 200) throw refusal(status, text, after, path, problems);
  if (status >= 300) {
    throw fail(
      'backend.bad_response',
      tell(
        `${backend} sends ${path} on to another address (${status}).`,
        `${backend} 将 ${path} 转到另一个地址(${status})。`,
      ),
      tell(
        'Set base_url to the address that answers itself; a login page in front of it cannot be passed.',
        '将 base_url 设为直接应答的地址;无法通过其前面的登录页。',
      ),
    );
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    const isPage = /^\s*</.test(text);
    throw fail(
      'backend.bad_response',
      tell(
        `${backend} answered ${path} with ${isPage ? 'a page' : 'something'} that is no JSON.`,
        `${backend} 对 ${path} 的应答${isPage ? '是网页' : ''}不是 JSON。`,
      ),
      CHECK_ADDRESS,
      cause,
    );
  }
}

function refusal(
  status: number,
  text: string,
  after: string | null,
  path: string,
  problems: Problems,
): AppError {
  const { backend } = problems;
  const said = wordsOf(text, problems.secrets);
  const told = said ? tell(`: ${said}`, `:${said}`) : tell('.', '。');
  if (status === 401 || status === 403) {
    return fail(
      'backend.refused',
      tell(`${backend} refuses (${status})${told.en}`, `${backend} 拒绝访问(${status})${told.zh}`),
      tell(
        'Check the token or password of this backend in the .env file, and its tenant.',
        '检查 .env 中该后端的令牌或密码,以及租户。',
      ),
    );
  }
  const again = (code: ErrorCode, hint: Text) => {
    const seconds = Number(after ?? Number.NaN);
    const wait = Number.isFinite(seconds) && after !== null ? { afterMs: seconds * 1_000 } : {};
    const message = tell(`${backend} answered ${status}${told.en}`, `${backend} 返回 ${status}${told.zh}`);
    return new AppError({ code, ...inWords(message, hint), retry: { again: true, ...wait } });
  };
  if (status === 429)
    return again(
      'backend.refused',
      tell('It is asked too often; try again later.', '查询过于频繁,请稍后再试。'),
    );
  if (status === 502 || status === 503 || status === 504)
    return again(
      'backend.unreachable',
      tell('It, or a proxy in front of it, is not ready.', '它或其前面的代理尚未就绪。'),
    );
  if (status === 400 || status === 422)
    return fail(
      'input.invalid',
      tell(`${backend} cannot answer this${told.en}`, `${backend} 无法回答该查询${told.zh}`),
    );
  return fail(
    'backend.bad_response',
    tell(
      `${backend} answered ${path} with ${status}${told.en}`,
      `${backend} 对 ${path} 返回 ${status}${told.zh}`,
    ),
    status === 404 ? CHECK_ADDRESS : undefined,
  );
}

/** What the backend says itself, short and without our keys. A page of HTML says nothing. */
function wordsOf(text: string, secrets: readonly string[]): string {
  const plain = messageIn(text);
  return redact(plain, secrets).replaceAll(/\s+/g, ' ').trim().slice(0, LONGEST_QUOTE);
}

function messageIn(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value)) return '';
    const nested = Array.isArray(value['errors']) ? (value['errors'][0] as unknown) : undefined;
    const found = isRecord(nested) ? nested['msg'] : (value['error'] ?? value['message']);
    return typeof found === 'string' ? found : '';
  } catch {
    return /^\s*</.test(text) ? '' : text;
  }
}

const RESETS = new Set(['ECONNRESET', 'UND_ERR_SOCKET', 'EPIPE']);
const causeOf = (error: unknown): unknown => (error instanceof Error ? (error.cause ?? error) : error);
const codeOf = (error: unknown): string => {
  const cause = causeOf(error);
  return isRecord(cause) && typeof cause['code'] === 'string' ? cause['code'] : '';
};
const isReset = (error: unknown): boolean => RESETS.has(codeOf(error));

function networkProblem(
  error: unknown,
  lateAfter: number | undefined,
  { backend, host }: Problems,
): AppError {
  if (error instanceof AppError) return error;
  const code = codeOf(error);
  const why = lateAfter === undefined ? (code ? ` (${code})` : '') : ` within ${lateAfter} s`;
  const message = tell(
    `${backend} cannot be reached at ${host}${why}.`,
    lateAfter === undefined
      ? `无法连接 ${backend}(${host})${code ? `:${code}` : ''}。`
      : `${backend}(${host})在 ${lateAfter} 秒内没有应答。`,
  );
  const hint = tell(
    'Check base_url, the network between here and there, and timeout_seconds.',
    '检查 base_url、网络与 timeout_seconds。',
  );
  return new AppError(
    { code: 'backend.unreachable', ...inWords(message, hint), retry: { again: true } },
    { cause: error },
  );
}
