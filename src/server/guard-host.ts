import { isIP } from 'node:net';
import type { BindAddress } from './bind-address.ts';
import type { Refusal } from './refusal.ts';

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '::1'];

/**
 * Refuses a `Host` that is not ours. A page of a stranger can make its own name point to this machine (DNS rebinding)
 * and would then be of the same origin; what it cannot do is send another name. An address that the peer has really
 * connected to is ours: addresses cannot be made to point elsewhere.
 */
export function hostGuard(
  bind: BindAddress,
  allowedHosts: readonly string[],
): (host: string | undefined, localAddress: string | undefined) => Refusal | undefined {
  const known = new Set(
    [bind.host, bind.ip, ...(bind.loopback ? LOOPBACK_NAMES : []), ...allowedHosts].map(plainHost),
  );
  return (host, localAddress) => {
    if (!host) return { status: 400, code: 'http.bad_request', detail: 'The request names no host.' };
    const name = plainHost(host);
    if (known.has(name) || (isIP(name) && name === localAddress?.replace(/^::ffff:/i, ''))) return undefined;
    return {
      status: 421,
      code: 'http.misdirected',
      detail: 'This server does not answer to that host name.',
      hint: 'Names that it should answer to stand under `allowed_hosts`.',
    };
  };
}

/** Without the port and the brackets of an IPv6 address, in lower case. */
function plainHost(host: string): string {
  const text = host.trim().toLowerCase();
  if (isIP(text)) return text;
  const bracketed = /^\[([^\]]*)\](?::\d*)?$/.exec(text);
  return bracketed?.[1] ?? text.replace(/:\d*$/, '').replace(/\.$/, '');
}
