import type { WebClient } from '#spec/ports';

const MOST_BYTES = 1024 * 1024;
const TIMEOUT_MS = 30_000;
/** A `Response` with one of these may have no body. */
const EMPTY = new Set([101, 204, 205, 304]);
/** They speak of the bytes on the wire; the body is what they unpacked to. */
const OF_THE_WIRE = new Set(['content-encoding', 'content-length', 'transfer-encoding', 'connection']);

/**
 * `fetch` over a web client, which connects only to addresses that it has checked. For small answers: they are read as a
 * whole. Redirects are followed only where they are asked for.
 */
export const webFetch =
  (web: WebClient) =>
  async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    const body = bodyOf(init.body);
    const headers = new Headers(init.headers);
    if (init.body instanceof URLSearchParams && !headers.has('content-type'))
      headers.set('content-type', 'application/x-www-form-urlencoded;charset=UTF-8');
    const answer = await web.fetch(
      {
        url: String(input),
        method: init.method ?? 'GET',
        headers: Object.fromEntries(headers),
        ...(body === undefined ? {} : { body }),
        maxBytes: MOST_BYTES,
        timeoutMs: TIMEOUT_MS,
        ...(init.redirect === 'follow' ? {} : { redirects: 0 }),
      },
      init.signal ?? new AbortController().signal,
    );
    if (answer.cut) throw new TypeError(`the answer is longer than ${MOST_BYTES} bytes`);
    if (init.redirect !== 'manual' && answer.status >= 300 && answer.status < 400 && answer.headers.location)
      throw new TypeError('unexpected redirect');
    const kept = Object.entries(answer.headers).filter(([name]) => !OF_THE_WIRE.has(name.toLowerCase()));
    return new Response(EMPTY.has(answer.status) ? null : Buffer.from(answer.body), {
      status: answer.status,
      headers: Object.fromEntries(kept),
    });
  };

function bodyOf(body: RequestInit['body']): string | Uint8Array | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string') return body;
  if (body instanceof URLSearchParams) return body.toString();
  if (body instanceof Uint8Array) return body;
  throw new TypeError('a body of this kind cannot be sent');
}
