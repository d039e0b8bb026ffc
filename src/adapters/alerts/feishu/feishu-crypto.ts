import { createDecipheriv, createHash } from 'node:crypto';
import { fail } from '#kit/app-error';
import type { RouteRequest } from '#spec/ports';
import { checkFresh } from '../check-fresh.ts';
import { sameSecret } from '../same-secret.ts';

const IV_BYTES = 16;

/** Throws unless the request was signed with the encrypt key, and recently. The signature covers the bytes as they came. */
export function checkFeishuSignature({ headers, body }: RouteRequest, encryptKey: string, now: number): void {
  const timestamp = headers['x-lark-request-timestamp'] ?? '';
  const nonce = headers['x-lark-request-nonce'] ?? '';
  const expected = createHash('sha256')
    .update(`${timestamp}${nonce}${encryptKey}`)
    .update(body)
    .digest('hex');
  if (!sameSecret(headers['x-lark-signature'] ?? '', expected))
    throw fail(
      'input.unauthorized',
      "Feishu's signature is missing or does not hold.",
      'Compare FEISHU_ENCRYPT_KEY with the encrypt key of the app.',
    );
  checkFresh(timestamp, now);
}

/** AES-256-CBC; the key is the SHA-256 of the encrypt key, the first block is the initial vector. */
export function decryptFeishu(encrypted: string, encryptKey: string): string {
  const bytes = Buffer.from(encrypted, 'base64');
  const key = createHash('sha256').update(encryptKey).digest();
  try {
    const decipher = createDecipheriv('aes-256-cbc', key, bytes.subarray(0, IV_BYTES));
    const plain = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES)), decipher.final()]);
    return new TextDecoder('utf-8', { fatal: true }).decode(plain);
  } catch (thrown) {
    throw fail('input.unauthorized', "Feishu's request cannot be decrypted.", undefined, thrown);
  }
}
