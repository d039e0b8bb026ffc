import { AppError } from '#kit/app-error';

/** By the code that Node and undici give, in words. */
const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refused the connection',
  ECONNRESET: 'closed the connection',
  EPIPE: 'closed the connection',
  UND_ERR_SOCKET: 'closed the connection before it had answered',
  ENETUNREACH: 'cannot be reached from this network',
  EHOSTUNREACH: 'cannot be reached from this network',
  UND_ERR_HEADERS_OVERFLOW: 'sent headers that are too long',
  HPE_HEADER_OVERFLOW: 'sent headers that are too long',
  CERT_HAS_EXPIRED: 'has a certificate that has expired',
  CERT_NOT_YET_VALID: 'has a certificate that is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'has a certificate that it signed itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'has a certificate that nobody known has signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'has a certificate whose chain is not complete',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'has a certificate that nobody known has signed',
  ERR_TLS_CERT_ALTNAME_INVALID: 'has a certificate for another name',
  EPROTO: 'does not speak TLS there',
  ERR_SSL_WRONG_VERSION_NUMBER: 'does not speak TLS there',
};
const TIMEOUTS = new Set([
  'TimeoutError',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);
const CERTIFICATES = /CERT|SIGNATURE|ISSUER/;

/** Why nothing, or not all of it, came back from a host. */
export function networkError(error: unknown, host: string, timeoutMs: number): AppError {
  const code = codeOf(error);
  if (TIMEOUTS.has(code)) {
    return record(`${host} did not answer in full within ${timeoutMs / 1000} s.`, 'timeout', true, error);
  }
  const words = WORDS[code];
  if (words) return record(`${host} ${words}.`, code, !CERTIFICATES.test(code), error);
  if (code.startsWith('HPE_')) return record(`${host} does not speak HTTP there.`, code, false, error);
  if (code.startsWith('Z_') || code.startsWith('ERR_BROTLI') || code.startsWith('ERR__ERROR'))
    return record(`${host} sent an answer that cannot be decompressed.`, code, false, error);
  const message = error instanceof Error ? error.message : String(error);
  return record(`${host} could not be asked: ${message}`, code, false, error);
}

const record = (message: string, code: string, again: boolean, cause: unknown): AppError =>
  new AppError({ code: 'tool.failed', message, retry: { again }, details: { cause: code } }, { cause });

/** Several attempts to connect give one error that holds theirs. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  if (!(error instanceof Error)) return '';
  if (error.name === 'TimeoutError') return error.name;
  if (error.name === 'HTTPParserError') return 'HPE_INVALID';
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === 'string' ? code : codeOf(error.cause);
}
