import { createHmac } from 'node:crypto';
import { fail } from '#kit/app-error';
import type { RouteRequest } from '#spec/ports';
import { checkFresh } from '../check-fresh.ts';
import { sameSecret } from '../same-secret.ts';
import type { Hook } from './webhook-settings.ts';

const SHORTEST_KEY_BYTES = 16;

const standardKey = (secret: string): Buffer => Buffer.from(secret.replace(/^whsec_/, ''), 'base64');

/** A text that is not base64 would decode to an empty key, with which everybody can sign. */
export const isSecret = ({ verify }: Pick<Hook, 'verify'>, secret: string): boolean =>
  verify === 'standard' ? standardKey(secret).byteLength >= SHORTEST_KEY_BYTES : secret !== '';

/** Throws unless the request was made by somebody who has one of the secrets. Gives what names it, if anything signed does. */
export function checkWebhook(
  hook: Pick<Hook, 'verify' | 'header'>,
  request: RouteRequest,
  secrets: readonly string[],
  now: number,
): string | undefined {
  if (hook.verify === 'standard') return checkStandard(request, secrets, now);
  if (hook.verify === 'github') checkHub(request, secrets);
  else checkToken(request, secrets, hook.header);
  return undefined;
}

/** Base64 HMAC-SHA256 over `id.timestamp.body`, several of them apart by spaces; the key is base64 after `whsec_`. */
function checkStandard({ headers, body }: RouteRequest, secrets: readonly string[], now: number): string {
  const id = headers['webhook-id'] ?? '';
  const timestamp = headers['webhook-timestamp'] ?? '';
  const given = (headers['webhook-signature'] ?? '').split(' ');
  const expected = secrets.map((secret) => {
    const hmac = createHmac('sha256', standardKey(secret)).update(`${id}.${timestamp}.`).update(body);
    return `v1,${hmac.digest('base64')}`;
  });
  if (id === '' || !expected.some((one) => given.some((other) => sameSecret(other, one)))) throw refused();
  checkFresh(timestamp, now);
  return id;
}

function checkHub({ headers, body }: RouteRequest, secrets: readonly string[]): void {
  const given = headers['x-hub-signature-256'] ?? '';
  const expected = secrets.map(
    (secret) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  );
  if (!expected.some((one) => sameSecret(given, one))) throw refused();
}

function checkToken({ headers }: RouteRequest, secrets: readonly string[], header?: string): void {
  const given = header
    ? headers[header.toLowerCase()]
    : /^Bearer +(\S+)$/i.exec(headers['authorization'] ?? '')?.[1];
  if (!secrets.some((secret) => sameSecret(given ?? '', secret))) throw refused();
}

const refused = () =>
  fail(
    'input.unauthorized',
    'The signature or token of the webhook is missing or does not hold.',
    'Compare `verify` and the secret of this webhook in gateway.yaml with what the sender uses.',
  );
