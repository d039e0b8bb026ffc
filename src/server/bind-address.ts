import { lookup } from 'node:dns/promises';
import { isIPv6 } from 'node:net';
import { fail } from '#kit/app-error';

export interface BindAddress {
  /** As it was asked for. */
  readonly host: string;
  /** What it stands for. The server listens there, so that a name cannot mean something else a moment later. */
  readonly ip: string;
  readonly loopback: boolean;
}

export async function resolveBindAddress(host: string): Promise<BindAddress> {
  const name = host.replace(/^\[(.*)\]$/, '$1');
  // Node listens on every address when the name is empty.
  if (!name) throw fail('input.invalid', 'The server has no address to listen on.', 'Use 127.0.0.1.');
  const found = await lookup(name).catch((cause: unknown) => {
    throw fail('input.invalid', `'${host}' is no address of this machine.`, 'Use 127.0.0.1.', cause);
  });
  return { host: name, ip: found.address, loopback: isLoopback(found.address) };
}

const isLoopback = (ip: string): boolean =>
  ip === '::1' || /^(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(ip);

/** A host as it stands in an address of the web. */
export const urlHost = (host: string): string => (isIPv6(host) ? `[${host}]` : host);
