import { fail } from '#kit/app-error';
import { isPrivateHost } from '../web-address.ts';

export type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>;

/**
 * Requests on behalf of one server. Its own origin is what the user wrote down. Every other address came from the
 * server: it must be behind TLS, and may lead into a private network only when the server itself stands in one.
 */
export function guardedFetch(server: URL, fetch: Fetch): Fetch {
  return async (input, init) => {
    const url = new URL(input);
    if (url.origin !== server.origin) {
      const inside = isPrivateHost(server.hostname);
      if (url.protocol !== 'https:' && !(inside && url.protocol === 'http:' && isPrivateHost(url.hostname)))
        throw fail('tool.refused', `${url.origin}, which ${server.host} points to, is not behind TLS`);
      if (isPrivateHost(url.hostname) && !inside)
        throw fail('tool.refused', `${url.origin}, which ${server.host} points to, is a private address`);
    }
    return fetch(input, init);
  };
}
