import { z } from 'zod';

/** A host name, `*.` before it for everything below it, or an address; with a port or without. */
const PATTERN = /^(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/i;

export const HostPattern = z
  .string()
  .regex(PATTERN, 'must be a host such as api.github.com, *.npmjs.org or localhost:8080');

/** Whether a host and port are on the list. Names are compared as a whole, so nothing can be hidden in them. */
export function isAllowed(allow: readonly string[], host: string, port: number): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  if (!/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(name)) return false;
  return allow.some((pattern) => {
    const [wanted = '', wantedPort] = pattern.toLowerCase().split(':');
    if (wantedPort === undefined ? port !== 80 && port !== 443 : Number(wantedPort) !== port) return false;
    return wanted.startsWith('*.')
      ? name.endsWith(wanted.slice(1)) && name.length > wanted.length - 1
      : name === wanted;
  });
}
