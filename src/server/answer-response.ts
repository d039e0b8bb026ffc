import type { RouteAnswer } from '#spec/ports';

export const isStream = (body: RouteAnswer['body']): body is AsyncIterable<string | Uint8Array> =>
  typeof body === 'object' && Symbol.asyncIterator in body;

/** What a route gave, as a response; of a stream, the head alone. `head`: nobody wants a body. */
export function answerResponse(answer: RouteAnswer, { head }: { readonly head: boolean }): Response {
  const { status, body } = answer;
  const headers = new Headers(answer.headers);
  if (body === undefined || status === 204 || status === 304) return new Response(null, { status, headers });
  const type = (usual: string): void => {
    if (!headers.has('content-type')) headers.set('content-type', usual);
  };
  if (isStream(body)) {
    type('text/event-stream; charset=utf-8');
    headers.set('cache-control', 'no-store, no-transform');
    // Some proxies would hold events back until a buffer is full.
    headers.set('x-accel-buffering', 'no');
    return new Response(null, { status, headers });
  }
  const text = typeof body === 'string' || body instanceof Uint8Array ? body : `${JSON.stringify(body)}\n`;
  if (typeof body === 'string') type('text/plain; charset=utf-8');
  else type(body instanceof Uint8Array ? 'application/octet-stream' : 'application/json');
  headers.set('content-length', String(Buffer.byteLength(text)));
  return new Response(head ? null : new Uint8Array(Buffer.from(text)), { status, headers });
}

/** Headers that every response has. A page may have styles of its own, and nothing else, unless its route says so. */
export function addSafeHeaders(headers: Headers, requestId: string): void {
  const page = headers.get('content-type')?.startsWith('text/html') ?? false;
  const usual = {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'content-security-policy': `default-src 'none'; ${page ? "style-src 'unsafe-inline'; " : ''}base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    'cache-control': 'no-store',
  };
  for (const [name, value] of Object.entries(usual)) if (!headers.has(name)) headers.set(name, value);
  headers.set('x-request-id', requestId);
}
