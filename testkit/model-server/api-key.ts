import type { IncomingHttpHeaders } from 'node:http';

const single = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value);

/** The key a request carries, wherever vendors put it. For signed AWS requests it is the access key id. */
export function apiKeyOf(headers: IncomingHttpHeaders): string | undefined {
  const named = single(headers['x-api-key']) ?? single(headers['api-key']);
  if (named) return named;
  const authorization = headers.authorization ?? '';
  return (
    /^AWS4-HMAC-SHA256 .*Credential=([^/,\s]+)/.exec(authorization)?.[1] ??
    /^Bearer\s+(\S+)$/i.exec(authorization)?.[1]
  );
}
