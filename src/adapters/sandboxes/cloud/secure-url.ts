import { z } from 'zod';

const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** The address of a service that is sent a key: encrypted, unless it is on this machine. */
export function isSecure(address: string): boolean {
  const url = URL.parse(address);
  return (
    url !== null && (url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.has(url.hostname)))
  );
}

export const SecureUrl = z
  .string()
  .refine(isSecure, { message: 'must be an https address' })
  .transform((address) => address.replace(/\/+$/, ''));
