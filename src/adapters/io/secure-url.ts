import { z } from 'zod';

const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** The address of something that is sent a credential: encrypted, unless it is on this machine. No slash at its end. */
export const SecureUrl = z
  .string()
  .refine(
    (address) => {
      const url = URL.parse(address);
      if (!url || url.username || url.password || url.search || url.hash) return false;
      return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.has(url.hostname));
    },
    { message: 'must be an https address without credentials, query or fragment' },
  )
  .transform((address) => address.replace(/\/+$/, ''));
