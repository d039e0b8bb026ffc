import { AppError, toErrorRecord } from '#kit/app-error';
import { codeOf } from '#kit/store-failure';
import type { ErrorCode, ErrorRecord } from '#spec/data';
import type { CliContext } from './command.ts';

/** What the operating system says of a path or an address that somebody named. None of it is a defect of ours. */
const CODES = {
  ENOENT: 'input.not_found',
  ENOTDIR: 'input.invalid',
  EISDIR: 'input.invalid',
  EEXIST: 'input.conflict',
  ENOTEMPTY: 'input.conflict',
  ENAMETOOLONG: 'input.invalid',
  ELOOP: 'input.invalid',
  EADDRINUSE: 'input.conflict',
  EADDRNOTAVAIL: 'input.invalid',
  EACCES: 'input.forbidden',
  EPERM: 'input.forbidden',
  ECONNREFUSED: 'backend.unreachable',
  ECONNRESET: 'backend.unreachable',
  EHOSTUNREACH: 'backend.unreachable',
  ENETUNREACH: 'backend.unreachable',
  ETIMEDOUT: 'backend.unreachable',
  ENOTFOUND: 'backend.unreachable',
  EAI_AGAIN: 'backend.unreachable',
} as const satisfies Record<string, ErrorCode>;

export type SystemCode = keyof typeof CODES;

const DEEPEST = 4;

/** Whatever a command threw, as the record to show: what the system refused is a sentence, not a stack. */
export function shownRecord(thrown: unknown, { text }: Pick<CliContext, 'text'>): ErrorRecord {
  const record = toErrorRecord(thrown);
  if (thrown instanceof AppError || record.code !== 'internal') return record;
  for (let [cause, depth] = [thrown, 0]; cause instanceof Error && depth < DEEPEST; depth++) {
    if (cause instanceof AppError) return cause.record;
    const code = codeOf(cause);
    if (Object.hasOwn(CODES, code)) {
      const known = code as SystemCode;
      const message = text.system[known](placeOf(cause));
      return { code: CODES[known], message, retry: { again: false } };
    }
    cause = cause.cause;
  }
  return record;
}

/** The path, or the address and port, that it is about. */
function placeOf(error: Error): string {
  const { path, address, hostname, host, port, syscall } = { ...error } as Partial<Record<string, unknown>>;
  if (typeof path === 'string') return path;
  const name = [address, hostname, host].find((each) => typeof each === 'string');
  if (typeof name === 'string') return typeof port === 'number' ? `${name}:${port}` : name;
  return typeof port === 'number' ? String(port) : typeof syscall === 'string' ? syscall : error.message;
}
