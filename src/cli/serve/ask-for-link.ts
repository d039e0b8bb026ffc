import { type Host, serverToken } from '#host';
import { isRecord } from '#kit/is-record';
import { signInAddress } from './console-address.ts';

const ASK_MS = 10_000;

/** An address that signs in to the console once, as the running server gives it to a terminal; or why it gives none. */
export async function askForLink(
  host: Pick<Host, 'home' | 'loaded'>,
  url: string,
): Promise<{ readonly address: string } | { readonly why: string }> {
  const { token } = await serverToken(host);
  const answer = await fetch(`${url}/api/session/code`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(ASK_MS),
  });
  const body: unknown = await answer.json();
  const told = (name: string) => (isRecord(body) && typeof body[name] === 'string' ? body[name] : undefined);
  const code = answer.ok ? told('code') : undefined;
  return code ? { address: signInAddress(url, code) } : { why: told('detail') ?? `HTTP ${answer.status}` };
}
