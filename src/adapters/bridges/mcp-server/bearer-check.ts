import { createHash, timingSafeEqual } from 'node:crypto';
import { fail } from '#kit/app-error';

const SHORTEST = 16;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Turns away every request without the token. The comparison takes the same time for every wrong one. */
export function bearerCheck(token: string): (request: Request) => Response | undefined {
  if (token.length < SHORTEST)
    throw fail('config.invalid', `The token of the MCP server needs at least ${SHORTEST} characters.`);
  const expected = digest(token);
  return (request) => {
    const [, given = ''] = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? [];
    if (timingSafeEqual(digest(given), expected)) return undefined;
    return Response.json(
      { error: 'unauthorized' },
      { status: 401, headers: { 'www-authenticate': 'Bearer realm="hermes"' } },
    );
  };
}
