import { SESSION_SECONDS } from './sessions.ts';

/** Cookies do not know ports: with one name, two servers of one machine would sign each other's people out. */
const nameAt = (port: number): string => `hermes_session_${port}`;

/** What a browser sends as the session of the server at this port. */
export function sentSession(header: string | undefined, port: number): string | undefined {
  const name = nameAt(port);
  for (const part of (header ?? '').split(';')) {
    const [key, ...value] = part.trim().split('=');
    if (key === name) return value.join('=');
  }
  return undefined;
}

interface CookieOptions {
  readonly port: number;
  readonly secure: boolean;
  readonly seconds?: number;
}

export function sessionCookie(
  value: string,
  { port, secure, seconds = SESSION_SECONDS }: CookieOptions,
): string {
  const attributes = [`Max-Age=${seconds}`, 'Path=/', 'HttpOnly', 'SameSite=Strict'];
  return [`${nameAt(port)}=${value}`, ...attributes, ...(secure ? ['Secure'] : [])].join('; ');
}

export const endedCookie = (options: CookieOptions): string => sessionCookie('', { ...options, seconds: 0 });

/** Whether the browser speaks TLS, to us or to the proxy before us. */
export const isSecure = (headers: Readonly<Record<string, string>>): boolean =>
  /^https:/i.test(headers['origin'] ?? '') || /^https$/i.test(headers['x-forwarded-proto']?.trim() ?? '');
