import { createDecipheriv, createHash } from 'node:crypto';
import { fail } from '#kit/app-error';
import { checkFresh } from '../check-fresh.ts';
import { sameSecret } from '../same-secret.ts';

export interface WecomKeys {
  readonly token: string;
  /** 43 characters of base64: a key of 32 bytes. */
  readonly encodingAesKey: string;
  /** The company, or whoever else messages are meant for. */
  readonly receiveId: string;
}

const IV_BYTES = 16;
const RANDOM_BYTES = 16;
const LENGTH_BYTES = 4;
/** WeCom pads to blocks of 32, which is twice what the cipher asks for. */
const MAX_PADDING = 32;

export const isAesKey = (text: string): boolean => /^[A-Za-z0-9+/]{43}$/.test(text);

/** Throws unless the request was signed with the token, and recently. */
export function checkWecomSignature(
  query: URLSearchParams,
  encrypted: string,
  { token }: WecomKeys,
  now: number,
): void {
  const timestamp = query.get('timestamp') ?? '';
  const parts = [token, timestamp, query.get('nonce') ?? '', encrypted].sort();
  const expected = createHash('sha1').update(parts.join('')).digest('hex');
  if (!sameSecret(query.get('msg_signature') ?? '', expected))
    throw fail(
      'input.unauthorized',
      "WeCom's signature is missing or does not hold.",
      'Compare WECOM_TOKEN with the token of the app.',
    );
  checkFresh(timestamp, now);
}

/** The message, once it is known to be meant for us: one company's message must not work with another. */
export function decryptWecom(encrypted: string, { encodingAesKey, receiveId }: WecomKeys): string {
  const plain = unpadded(decipher(Buffer.from(encrypted, 'base64'), encodingAesKey));
  const from = RANDOM_BYTES + LENGTH_BYTES;
  const length = plain.byteLength >= from ? plain.readUInt32BE(RANDOM_BYTES) : Number.NaN;
  if (!(from + length <= plain.byteLength)) throw undecryptable();
  if (!sameSecret(plain.subarray(from + length).toString('utf8'), receiveId))
    throw fail(
      'input.unauthorized',
      'The message is meant for another company.',
      'Compare WECOM_CORP_ID with the id of the company.',
    );
  return plain.subarray(from, from + length).toString('utf8');
}

function decipher(bytes: Buffer, encodingAesKey: string): Buffer {
  const key = Buffer.from(`${encodingAesKey}=`, 'base64');
  try {
    const cipher = createDecipheriv('aes-256-cbc', key, key.subarray(0, IV_BYTES)).setAutoPadding(false);
    return Buffer.concat([cipher.update(bytes), cipher.final()]);
  } catch (thrown) {
    throw undecryptable(thrown);
  }
}

function unpadded(bytes: Buffer): Buffer {
  const count = bytes.at(-1) ?? 0;
  const body = bytes.subarray(0, bytes.byteLength - count);
  const isPadded =
    count >= 1 && count <= MAX_PADDING && bytes.subarray(-count).every((byte) => byte === count);
  if (!isPadded || body.byteLength + count !== bytes.byteLength) throw undecryptable();
  return body;
}

const undecryptable = (cause?: unknown) =>
  fail(
    'input.unauthorized',
    "WeCom's request cannot be decrypted.",
    'Compare WECOM_ENCODING_AES_KEY with the EncodingAESKey of the app.',
    cause,
  );
