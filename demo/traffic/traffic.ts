import { request as httpRequest } from 'node:http';
import { COUPONS } from '../runtime/database.ts';
import { between } from '../runtime/wait.ts';
import { type Outcomes, outcomesOf } from './outcomes.ts';
import { type TrafficShape, USUAL_TRAFFIC } from './traffic-shape.ts';

export interface Traffic {
  shape(shape: Partial<TrafficShape>): void;
  /** Of the last seconds, as the users see it. */
  seen(): Outcomes & { readonly sent: number };
  close(): void;
}

const TIMEOUT_MS = 8_000;
const WINDOW_MS = 5_000;
const MOST_IN_FLIGHT = 300;
const HOT_COUPON = 'SPRING-SALE';

/** Pays at the given address, steadily with jitter, until it is closed. */
export function startTraffic(address: () => string | undefined): Traffic {
  let shape = USUAL_TRAFFIC;
  let timer: NodeJS.Timeout;
  let sent = 0;
  let inFlight = 0;
  let done: { at: number; code: number; ms: number }[] = [];
  const pay = (): void => {
    const base = address();
    if (base === undefined || inFlight >= MOST_IN_FLIGHT) return;
    const began = Date.now();
    sent += 1;
    inFlight += 1;
    send(base, shape, (code) => {
      inFlight -= 1;
      const now = Date.now();
      done = [...done.filter(({ at }) => at > now - WINDOW_MS), { at: now, code, ms: now - began }];
    });
  };
  const next = (): void => {
    timer = setTimeout(next, between(0.4, 1.6) * (1000 / shape.perSecond));
    pay();
  };
  next();
  return {
    shape: (more) => {
      shape = { ...USUAL_TRAFFIC, ...more };
    },
    seen: () => {
      const now = Date.now();
      return {
        sent,
        ...outcomesOf(
          done.filter(({ at }) => at > now - WINDOW_MS),
          WINDOW_MS / 1000,
        ),
      };
    },
    close: () => clearTimeout(timer),
  };
}

function send(base: string, shape: TrafficShape, answered: (code: number) => void): void {
  const body = JSON.stringify(payment(shape));
  const client = shape.clients[Math.floor(Math.random() * shape.clients.length)] ?? 'web';
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-client': client,
  };
  const options = { method: 'POST', headers, agent: false, timeout: TIMEOUT_MS };
  const outgoing = httpRequest(`${base}/pay`, options, (response) => {
    response.resume();
    response.on('close', () => answered(response.statusCode ?? 0));
  });
  outgoing.on('timeout', () => outgoing.destroy(new Error('late')));
  outgoing.on('error', () => answered(0));
  outgoing.end(body);
}

function payment({ couponShare, hotCouponShare, items }: TrafficShape): object {
  const coupon =
    Math.random() < hotCouponShare ? HOT_COUPON : COUPONS[Math.floor(Math.random() * COUPONS.length)];
  return {
    account: `account-${Math.floor(Math.random() * 500)}`,
    amount: Math.round(between(500, 20_000)),
    ...(Math.random() < couponShare ? { coupon } : {}),
    items: Array.from({ length: basketSize(items) }, () => `item-${Math.floor(Math.random() * 200)}`),
  };
}

function basketSize(shares: readonly number[]): number {
  let left = Math.random();
  const index = shares.findIndex((share) => (left -= share) < 0);
  return index < 0 ? shares.length : index + 1;
}
