import type { WebRequest } from '#spec/ports';

export type Hop = Pick<WebRequest, 'headers' | 'body'> & { readonly url: string; readonly method: string };

/** What says nothing about who asks; everything else a caller added may be a credential. */
const HARMLESS = new Set(['accept', 'accept-language', 'user-agent']);
const ABOUT_BODY = new Set(['content-type', 'content-length', 'content-encoding']);

export const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status);

/** The request after a redirect, or the reason why there is none. */
export function nextHop(hop: Hop, status: number, location: string): Hop | string {
  const from = new URL(hop.url);
  const to = URL.parse(location, from.href);
  if (!to) return 'it redirects to something that is not a URL';
  const sameOrigin = to.origin === from.origin;
  const keepsBody = status === 307 || status === 308;
  const becomesGet = !keepsBody && hop.method !== 'GET' && hop.method !== 'HEAD';
  if (!sameOrigin && keepsBody && hop.body !== undefined) return 'it redirects what was sent to another host';
  const kept = Object.entries(hop.headers ?? {}).filter(
    ([name]) => (sameOrigin || HARMLESS.has(name)) && !(becomesGet && ABOUT_BODY.has(name)),
  );
  to.hash = '';
  return {
    url: to.href,
    method: becomesGet ? 'GET' : hop.method,
    headers: Object.fromEntries(kept),
    ...(hop.body === undefined || becomesGet ? {} : { body: hop.body }),
  };
}
