import { z } from 'zod';

/** Hosts that are this machine, as an address spells them. */
export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);

/** Whether nobody on the way can read what is sent there: it is encrypted, or stays on this machine. */
export function isSecure(address: string): boolean {
  const url = URL.parse(address);
  if (!url || url.username || url.password) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
}

const isPlain = (address: string): boolean => {
  const url = URL.parse(address);
  return url !== null && !url.search && !url.hash;
};

/** The address of something that is sent a credential. No slash at its end. */
export const SecureUrl = z
  .string()
  .refine((address) => isSecure(address) && isPlain(address), {
    message: 'must be an https address without credentials, query or fragment',
  })
  .transform((address) => address.replace(/\/+$/, ''));
