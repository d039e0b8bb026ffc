import { once } from 'node:events';
import { connect } from 'node:net';
import { fail } from '#kit/app-error';
import type { WebAnswer, WebClient, WebRequest } from '#spec/ports';

/**
 * A web in which every origin that a test names is a server on this machine, and nothing else exists. The same port as
 * the real client, without its judgement.
 */
export function loopbackWeb(origins: Readonly<Record<string, string>>): WebClient {
  return {
    async fetch(request, signal) {
      const started = performance.now();
      const { body: sent, ...rest } = request;
      let { url, method = 'GET' } = request;
      let body = sent;
      for (let left = request.redirects ?? 5; ; left -= 1) {
        const response = await ask(
          { ...rest, url, method, ...(body === undefined ? {} : { body }) },
          origins,
          signal,
        );
        const location = response.headers.get('location');
        if (request.redirects === 0 || !location || response.status < 300 || response.status > 399)
          return answerOf(response, url, request.maxBytes, started);
        if (left <= 0) throw fail('tool.failed', 'too many redirects');
        url = new URL(location, url).href;
        if (response.status !== 307 && response.status !== 308) [method, body] = ['GET', undefined];
      }
    },
    reach: async (host, port, timeoutMs, signal) => {
      if (host !== '127.0.0.1') throw fail('tool.refused', `${host} does not exist in this test`);
      const started = performance.now();
      const socket = connect({
        host,
        port,
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      });
      try {
        await once(socket, 'connect');
        return { address: host, ms: performance.now() - started };
      } catch (cause) {
        throw fail('tool.failed', `${host}:${port} could not be reached`, undefined, cause);
      } finally {
        socket.destroy();
      }
    },
    resolve: async (name) => (name === 'localhost' ? ['127.0.0.1'] : []),
    certificate: ({ host }) => Promise.reject(fail('tool.refused', `${host} does not exist in this test`)),
  };
}

async function ask(
  { url, method = 'GET', headers, body, timeoutMs }: WebRequest,
  origins: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Response> {
  const asked = new URL(url);
  const origin = asked.hostname === '127.0.0.1' ? asked.origin : origins[asked.origin];
  if (!origin) throw fail('tool.refused', `${asked.origin} does not exist in this test`);
  try {
    return await fetch(origin + asked.pathname + asked.search, {
      method,
      redirect: 'manual',
      headers: { ...headers },
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : new Uint8Array(body) }),
    });
  } catch (cause) {
    throw fail('tool.failed', `${asked.host} could not be asked`, undefined, cause);
  }
}

async function answerOf(
  response: Response,
  url: string,
  maxBytes: number,
  started: number,
): Promise<WebAnswer> {
  let whole: Uint8Array;
  try {
    whole = new Uint8Array(await response.arrayBuffer());
  } catch (cause) {
    throw fail('tool.failed', `${new URL(url).host} broke off`, undefined, cause);
  }
  return {
    url,
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: whole.subarray(0, maxBytes),
    cut: whole.length > maxBytes,
    ms: performance.now() - started,
  };
}
