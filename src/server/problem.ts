import { STATUS_CODES } from 'node:http';
import { toErrorRecord } from '#kit/app-error';
import { type KnownSecrets, redact } from '#kit/redact';
import { isStoreFailure, type StoreFailure } from '#kit/store-failure';
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
  'audit.broken': 503,
  'model.rate_limited': 503,
  'model.overloaded': 503,
};
const BUSY_MS = 1_000;
const FAILING_MS = 30_000;

/** Where things are kept fails. Which file it is, and why, stands in the log and in `/readyz/details`. */
const STORE: Readonly<Record<StoreFailure, { readonly detail: string; readonly detailZh: string }>> = {
  'store.full': {
    detail: 'The disk of Hermes is full: this was not taken in. Send it again when there is room.',
    detailZh: 'Hermes 的磁盘已满:请求未被接收。腾出空间后请重新发送。',
  },
  'store.read_only': {
    detail: 'Hermes may not write to its disk: this was not taken in. Send it again when it may.',
    detailZh: 'Hermes 无法写入磁盘:请求未被接收。恢复可写后请重新发送。',
  },
  'store.failing': {
    detail: 'The disk of Hermes fails: this was not taken in. Send it again later.',
    detailZh: 'Hermes 的磁盘发生故障:请求未被接收。请稍后重新发送。',
  },
  'store.corrupt': {
    detail: 'A file of Hermes is damaged: this was not taken in. Its log says which one and how to mend it.',
    detailZh: 'Hermes 的数据文件已损坏:请求未被接收。日志中写明了是哪个文件以及如何修复。',
  },
  'store.newer': {
    detail: 'A file of Hermes was written by a newer version: this was not taken in.',
    detailZh: 'Hermes 的数据文件由更新的版本写入:请求未被接收。',
  },
};

/** What was thrown, as far as the sender may know it. */
export function refusalOf(thrown: unknown): Refusal {
  if (thrown instanceof RefusedError) return thrown.refusal;
  const record = toErrorRecord(thrown);
  if (isStoreFailure(record.code))
    return {
      status: 503,
      code: record.code,
      ...STORE[record.code],
      headers: retryAfter(record.retry.afterMs ?? FAILING_MS),
    };
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
  secrets: KnownSecrets,
): Response {
  const { status, code, detail, detailZh, hint } = refusal;
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
    ...(detailZh ? { detail_zh: detailZh } : {}),
    code,
    ...(hint ? { hint: redact(hint, secrets) } : {}),
    instance: `urn:hermes:request:${exchange.id}`,
  };
  return new Response(`${JSON.stringify(problem)}\n`, {
    status,
    headers: { 'content-type': 'application/problem+json', ...refusal.headers },
  });
}
