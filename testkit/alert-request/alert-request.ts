import type { AlertSourcePlace, RouteRequest } from '#spec/ports';

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | object;
}

/** A request as the server hands it over. */
export function testRequest({
  method = 'POST',
  path = '/gateway/test',
  params = {},
  query = {},
  headers = {},
  body = '',
}: Sent): RouteRequest {
  const plain = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  return {
    method,
    path,
    params,
    query: new URLSearchParams(query),
    headers,
    body: typeof plain === 'string' ? new TextEncoder().encode(plain) : plain,
    signal: new AbortController().signal,
  };
}

export const testPlace = (
  keys: Readonly<Record<string, string>> = {},
  settings?: unknown,
  now: () => number = Date.now,
): AlertSourcePlace => ({ key: (name) => keys[name], settings, now });

/** The code of what was thrown, or what came instead. */
export async function codeOf(received: Promise<unknown>): Promise<unknown> {
  try {
    return await received;
  } catch (thrown) {
    return (thrown as { record?: { code?: unknown } }).record?.code ?? thrown;
  }
}
