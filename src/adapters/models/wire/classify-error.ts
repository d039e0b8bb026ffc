import type { ErrorCode, ErrorRecord, ErrorSource } from '#spec/data';
import type { VendorError } from '#spec/ports';

/** Vendors' words, most telling first. They decide before the status does, because statuses are used loosely. */
const WORDS: readonly (readonly [RegExp, ErrorCode])[] = [
  [
    /context[ _-]?(length|window)|maximum context|too many (input )?tokens|prompt is too long|input is too long|exceed.{0,40}(context|n_ctx)|reduce the length/i,
    'model.context_overflow',
  ],
  [
    /thinking.{0,80}(signature|block)|signature.{0,40}thinking|invalid_encrypted_content/i,
    'model.thinking_signature',
  ],
  [
    /content[ _]?(filter|policy|management)|safety system|flagged|moderation|guardrail/i,
    'model.content_filter',
  ],
  [
    /insufficient[_ ](quota|balance|credit|funds)|credit balance|billing|payment[ _](required|instrument|method)|exceeded your current quota|arrears|out of credits/i,
    'model.billing',
  ],
  [
    /overloaded|service ?unavailable|at capacity|over capacity|servicequota|capacity constraints/i,
    'model.overloaded',
  ],
  [/rate.?limit|too many requests|throttl|requests per (minute|day)/i, 'model.rate_limited'],
  [
    /model.{0,60}(not.{0,5}(found|exist|available|supported)|does ?n.t exist|unknown|is invalid)|no such model|unknown model|model_not_found|model identifier is invalid/i,
    'model.not_found',
  ],
  [
    /invalid (x-)?api.?key|incorrect api key|authentication|unauthorized|invalid.{0,20}token|unrecognizedclient|security token.{0,30}(invalid|expired)|expiredtoken/i,
    'model.auth',
  ],
  [
    /request.{0,20}too large|payload too large|entity too large|body.{0,20}too large/i,
    'model.payload_too_large',
  ],
];

const STATUSES: Readonly<Record<number, ErrorCode>> = {
  400: 'model.format',
  401: 'model.auth',
  402: 'model.billing',
  403: 'model.permission',
  404: 'model.not_found',
  408: 'model.timeout',
  413: 'model.payload_too_large',
  422: 'model.format',
  424: 'model.server',
  429: 'model.rate_limited',
  502: 'model.server',
  503: 'model.overloaded',
  504: 'model.timeout',
  529: 'model.overloaded',
};

/** Failures that the same request may survive a moment later. */
const PASSING: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'model.rate_limited',
  'model.overloaded',
  'model.server',
  'model.timeout',
  'model.network',
  'model.stalled',
  'model.cut',
  'model.bad_response',
]);

export function codeOf(error: VendorError): ErrorCode {
  const words = `${error.code ?? ''} ${error.message}`;
  const said = WORDS.find(([pattern]) => pattern.test(words))?.[1];
  // A server fault stays one whatever its page says, except that it may name overload or throttling.
  const status = error.status;
  if (status !== undefined && status >= 500) {
    if (said === 'model.overloaded' || said === 'model.rate_limited') return said;
    return STATUSES[status] ?? 'model.server';
  }
  if (said) return said;
  if (status !== undefined) return STATUSES[status] ?? 'model.format';
  return /invalid|validation|bad.?request/i.test(words) ? 'model.format' : 'model.server';
}

export function modelError(
  code: ErrorCode,
  message: string,
  source: ErrorSource,
  afterMs?: number,
): ErrorRecord {
  const again = PASSING.has(code);
  return { code, message, source, retry: again && afterMs !== undefined ? { again, afterMs } : { again } };
}
