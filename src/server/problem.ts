import { STATUS_CODES } from 'node:http';
import { toErrorRecord } from '#kit/app-error';
import { redact } from '#kit/redact';
import type { ErrorCode, ErrorRecord } from '#spec/data';
import type { Route } from '#spec/ports';
import { type Refusal, RefusedError, retryAfter } from './refusal.ts';

/** Codes that say what the sender, or a part behind us, did. All others are ours to mend, and are not told. */
const STATUS: Partial<Record<ErrorCode, number>> = {
  'input.invalid': 400,
  'input.unauthorized': 401,
  'input.forbidden': 403,
  'tool.refused': 403,
  'input.not_found': 404,
  'profile.not_found': 404,
  'input.conflict': 409,
  'input.too_large': 413,
  'store.busy': 503,
  'model.rate_limited': 503,
  'model.overloaded': 503,
};
const BUSY_MS = 1_000;

/** What was thrown, as far as the sender may know it. */
export function refusalOf(thrown: unknown): Refusal {
  if (thrown instanceof RefusedError) return thrown.refusal;
  const record = toErrorRecord(thrown);
  const status = STATUS[record.code] ?? (/^(?:backend|model)\./.test(record.code) ? 502 : 500);
  if (status === 500) return { status, code: 'internal', detail: 'Something went wrong on this side.' };
  return {
    status,
    code: record.code,
    detail: record.message,
    ...(record.hint ? { hint: record.hint } : {}),
    ...(status === 503 || record.retry.afterMs ? { headers: retryAfter(waitOf(record)) } : {}),
  };
}

const waitOf = ({ retry }: ErrorRecord): number => retry.afterMs ?? BUSY_MS;

/** RFC 9457, unless the route words its refusals itself. */
export function problemResponse(
  refusal: Refusal,
  exchange: { readonly id: string; readonly worded?: Route['refusal'] },
  secrets: readonly string[],
): Response {
  const { status, code, detail, hint } = refusal;
  if (exchange.worded)
    return Response.json(exchange.worded({ status, code, detail: redact(detail, secrets) }), {
      status,
      headers: refusal.headers ?? {},
    });
  const problem = {
    type: `urn:hermes:problem:${code}`,
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail: redact(detail, secrets),
    code,
    ...(hint ? { hint: redact(hint, secrets) } : {}),
    instance: `urn:hermes:request:${exchange.id}`,
  };
  return new Response(`${JSON.stringify(problem)}\n`, {
    status,
    headers: { 'content-type': 'application/problem+json', ...refusal.headers },
  });
}
