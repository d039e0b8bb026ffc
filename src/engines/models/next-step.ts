import { backoffMs } from '#kit/backoff';
import type { ErrorCode, ErrorRecord } from '#spec/data';

/** What a failed attempt leaves open. */
export interface Situation {
  /** Something of the answer has been shown: it cannot be taken back, so nothing may be tried again. */
  readonly shown: boolean;
  /** Retries of this candidate with this credential so far. */
  readonly retries: number;
  readonly maxRetries: number;
  readonly otherCredential: boolean;
  readonly otherCandidate: boolean;
  /** The request still carries thinking that a vendor may refuse. */
  readonly replaysThinking: boolean;
  readonly random: () => number;
}

export type Decision =
  | { readonly kind: 'retry'; readonly afterMs: number }
  | { readonly kind: 'retry_plain' }
  | { readonly kind: 'rotate' }
  | { readonly kind: 'failover' }
  | { readonly kind: 'stop' };

/** A vendor that asks for more patience than this is not waited for. */
const LONGEST_WAIT_MS = 120_000;
/** While there is somewhere else to go, only this much is waited for. */
const SHORT_WAIT_MS = 5_000;

/** The request itself is at fault: no other key or model of the chain is asked. */
const HOPELESS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'model.context_overflow',
  'model.payload_too_large',
  'model.content_filter',
]);

const KEY_AT_FAULT: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'model.auth',
  'model.permission',
  'model.billing',
]);

/** Decides what follows a failed attempt. */
export function nextStep(error: ErrorRecord, situation: Situation): Decision {
  const { shown, retries, maxRetries, otherCredential, otherCandidate, replaysThinking } = situation;
  if (shown || HOPELESS.has(error.code)) return { kind: 'stop' };
  if (error.code === 'model.thinking_signature' && replaysThinking) return { kind: 'retry_plain' };

  const elsewhere: Decision | undefined = otherCredential
    ? { kind: 'rotate' }
    : otherCandidate
      ? { kind: 'failover' }
      : undefined;
  if (KEY_AT_FAULT.has(error.code)) return elsewhere ?? { kind: 'stop' };

  const wait = error.retry.afterMs ?? backoffMs(retries + 1, situation.random);
  const limited = error.code === 'model.rate_limited';
  if (limited && elsewhere) {
    return retries === 0 && maxRetries > 0 && wait <= SHORT_WAIT_MS
      ? { kind: 'retry', afterMs: wait }
      : elsewhere;
  }
  if (error.retry.again && retries < maxRetries && wait <= LONGEST_WAIT_MS)
    return { kind: 'retry', afterMs: wait };
  return otherCandidate ? { kind: 'failover' } : { kind: 'stop' };
}
