import type { Refusal } from './refusal.ts';

/** Whether a browser says that a page of another origin sends this. Programs that are no browser say nothing. */
export function isForeign(headers: Readonly<Record<string, string>>): boolean {
  const { origin, host } = headers;
  if (origin !== undefined) return hostOf(origin) !== host?.toLowerCase();
  const site = headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

/** Pages of others may change nothing and listen to nothing; what they get by reading, a browser keeps from them. */
export const foreignOrigin: Refusal = {
  status: 403,
  code: 'input.forbidden',
  detail: 'A page of another origin may not send this.',
};

/** The scheme does not count: before us may stand a proxy that speaks TLS. */
function hostOf(origin: string): string | undefined {
  const found = /^https?:\/\/([^/?#@\\]+)$/i.exec(origin);
  return found?.[1]?.toLowerCase();
}
