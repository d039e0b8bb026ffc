import type { Random } from '../random.ts';
import type { Complaint } from '../world/faults.ts';

export interface Complained {
  /** The function that is at fault, or any. */
  readonly symbol: string;
  /** The other end of the call, where it is about one. */
  readonly other: string;
  readonly word: string;
  readonly random: Random;
}

type Say = (about: Complained) => string;

/** Several wordings of each: nobody agrees with anybody on words. */
const SAYINGS: Readonly<Record<Complaint, readonly Say[]>> = {
  exception: [
    ({ symbol }) => `TypeError: cannot read properties of undefined in ${symbol}`,
    ({ symbol, word }) => `unhandled exception: ${symbol}: ${word} is missing`,
    ({ symbol, word }) => `${symbol} failed: unexpected state of ${word}`,
  ],
  slow: [
    ({ symbol, random }) => `${symbol} took ${random.int(800, 9_000)} ms`,
    ({ word, random }) => `slow ${word}: ${random.int(900, 7_000)} ms over budget`,
  ],
  memory: [
    ({ random }) => `gc pause ${random.int(300, 4_000)} ms, heap ${random.int(86, 99)}%`,
    () => 'out of memory: cannot allocate',
    ({ random }) => `memory at ${random.int(88, 99)}% of the limit`,
  ],
  wrong: [({ word }) => `nothing to do for ${word}`, ({ word }) => `${word} unchanged, skipped`],
  timeout: [
    ({ other, random }) => `${other} did not answer within ${random.int(10, 80)} ms`,
    ({ other }) => `deadline exceeded calling ${other}`,
    () => 'context deadline exceeded',
  ],
  pool: [
    ({ random }) => `timed out after ${random.int(1, 30)} s waiting for a connection`,
    () => 'connection pool exhausted',
    ({ random }) => `no idle connection (active ${random.int(2, 9)})`,
  ],
  crash: [
    ({ random }) => `process exited with code ${random.pick([1, 2, 134, 137, 139])}`,
    () => 'fatal: cannot start, exiting',
    ({ word }) => `panic: ${word} registry is not initialised`,
  ],
  input: [
    ({ word, random }) => `cannot parse ${word} ${random.hex(6)}: unexpected character`,
    ({ symbol }) => `${symbol}: invalid payload`,
    ({ word }) => `schema violation at ${word}`,
  ],
  query: [
    ({ word, random }) => `slow query ${random.int(500, 20_000)} ms: select from ${word}`,
    ({ word }) => `statement canceled: ${word} scan`,
  ],
  lock: [
    ({ word, random }) => `lock wait ${random.int(200, 30_000)} ms on ${word}`,
    ({ word }) => `deadlock detected, ${word} retried`,
    ({ random }) => `row ${random.int(1, 40)} is contended`,
  ],
  disk: [
    () => 'no space left on device',
    () => 'write failed: ENOSPC',
    ({ random }) => `volume at ${random.int(97, 100)}%, writes refused`,
  ],
  limit: [
    ({ other }) => `429 too many requests from ${other}`,
    () => 'quota exceeded, request refused',
    ({ random }) => `throttled for ${random.int(1, 60)} s`,
  ],
  certificate: [
    ({ other }) => `x509: certificate of ${other} has expired`,
    ({ other }) => `TLS handshake with ${other} failed`,
    () => 'SSL alert: certificate expired',
  ],
  name: [
    ({ other }) => `getaddrinfo EAI_AGAIN ${other}`,
    ({ other }) => `lookup ${other}: no such host`,
    () => 'temporary failure in name resolution',
  ],
  network: [
    ({ other }) => `connection to ${other} reset by peer`,
    ({ other, random }) => `retransmit to ${other}, rtt ${random.int(90, 900)} ms`,
  ],
  vendor: [
    ({ other }) => `POST https://api.${other}.example/v1 returned 503`,
    ({ other }) => `${other} answered 502`,
    ({ other }) => `no answer from ${other}`,
  ],
  cache: [
    () => 'cache miss storm',
    () => 'cache unreachable, asking the database',
    ({ word }) => `evicted ${word} before its time`,
  ],
  lag: [
    ({ random }) => `consumer lag ${random.int(500, 90_000)}`,
    () => 'consumer stalled, rebalancing',
    ({ random }) => `message is ${random.int(60, 3_000)} s old`,
  ],
  busy: [
    ({ random }) => `event loop blocked for ${random.int(200, 4_000)} ms`,
    () => 'worker queue is full',
    ({ random }) => `load ${random.int(8, 60)}.${random.int(0, 9)}`,
  ],
  nothing: [() => 'request failed'],
};
const VAGUE: readonly Say[] = [
  () => 'request failed',
  () => 'internal error',
  ({ random }) => `error ${random.int(1000, 9999)}`,
  () => 'operation could not be completed',
  ({ word }) => `${word} not processed`,
];
/** What a caller says of a callee that failed. */
const PASSED_ON: readonly Say[] = [
  ({ other }) => `call to ${other} failed: 500`,
  ({ other }) => `upstream ${other} returned an error`,
  ({ other }) => `${other} unavailable`,
  () => 'upstream error',
  ({ other }) => `request to ${other} aborted`,
];
const USUAL: readonly Say[] = [
  ({ word }) => `handled ${word}`,
  ({ word, random }) => `${word} ${random.int(100, 9_999)} stored`,
  ({ symbol }) => `${symbol} done`,
  ({ random }) => `request served in ${random.int(1, 90)} ms`,
  ({ word }) => `refreshed ${word} list`,
];
/** Complaints of every day, which mean nothing. */
const GRUMBLING: readonly Say[] = [
  ({ word }) => `deprecated ${word} format`,
  ({ word }) => `retrying ${word}`,
  () => 'client closed connection',
  ({ word, random }) => `${word} ${random.int(10, 99)} not found`,
  () => 'slow consumer, dropped a trace',
];

export const complain = (of: Complaint, about: Complained): string => about.random.pick(SAYINGS[of])(about);
export const vague = (about: Complained): string => about.random.pick(VAGUE)(about);
export const passedOn = (about: Complained): string => about.random.pick(PASSED_ON)(about);
export const usual = (about: Complained): string => about.random.pick(USUAL)(about);
export const grumble = (about: Complained): string => about.random.pick(GRUMBLING)(about);
