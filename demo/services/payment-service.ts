import { Refused } from '../runtime/refused.ts';
import { setting } from '../runtime/registry-file.ts';
import { wait } from '../runtime/wait.ts';
import { CARD_NETWORK } from '../runtime/card-network.ts';
import type { CallAnswer } from '../runtime/client-call.ts';
import type { ServedRequest } from '../runtime/http-server.ts';
import { behaviourOf } from '../system/release-behaviour.ts';
import type { Service, ServiceParts } from './service-parts.ts';

/** Answers of another service that a payment passes on; anything else that is bad becomes 503. */
const PASSED_ON: ReadonlySet<number> = new Set([404, 429, 504]);

/** `POST /pay` {account, amount, coupon?, items}: the discount, the orders, then the payment itself. */
export function paymentService(parts: ServiceParts): Service {
  const { logger, data, call, authorize, state } = parts;

  const discount = async (id: string, { span, version, client }: ServedRequest): Promise<number> => {
    if (state().degraded.includes('coupon-service')) {
      logger.log('info', 'coupon-service is degraded: paid without discount', span);
      return 0;
    }
    const answer = await call(
      {
        peer: 'coupon-service',
        method: 'GET',
        path: `/coupons/${encodeURIComponent(id)}`,
        route: '/coupons/:id',
        headers: { 'x-client': client },
        timeoutMs: setting(state(), 'coupon_timeout_ms', 1500),
      },
      span,
      version,
    );
    expectGood('coupon-service', answer);
    return (answer.body as { percent?: number }).percent ?? 0;
  };

  const placeOrder = async (item: string, { body, span, version, client }: ServedRequest): Promise<void> => {
    const answer = await call(
      {
        peer: 'order-service',
        method: 'POST',
        path: '/orders',
        route: '/orders',
        headers: { 'x-client': client },
        body: { account: String(body['account']), item },
        timeoutMs: setting(state(), 'order_timeout_ms', 2000),
      },
      span,
      version,
    );
    expectGood('order-service', answer);
  };

  const settle = async ({ body, span, version }: ServedRequest, percent: number): Promise<string> => {
    const behaviour = behaviourOf('payment-service', version);
    const lease = await data.acquire(version, span);
    let leaked = false;
    try {
      if (behaviour.fraudCheckMs !== undefined) await wait(behaviour.fraudCheckMs);
      const answer = await authorize(span, version);
      expectGood(CARD_NETWORK, answer);
      const { declined = false } = answer.body as { declined?: boolean };
      leaked = declined && behaviour.leaksOnDecline === true;
      const amount = Math.round((Number(body['amount']) || 0) * (1 - percent / 100));
      const outcome = declined ? 'declined' : 'paid';
      const values = [String(body['account']), amount, outcome, Date.now()];
      await data.query(
        lease,
        'INSERT INTO payments (account, amount, state, at) VALUES (?, ?, ?, ?)',
        values,
        span,
      );
      return outcome;
    } finally {
      if (!leaked) lease.release();
    }
  };

  return {
    endpoints: [
      {
        method: 'POST',
        route: '/pay',
        path: /^\/pay$/,
        handle: async (request) => {
          const { coupon, items } = request.body;
          const percent = typeof coupon === 'string' ? await discount(coupon, request) : 0;
          for (const item of Array.isArray(items) ? items : []) await placeOrder(String(item), request);
          return { status: 200, body: { state: await settle(request, percent) } };
        },
      },
    ],
  };
}

function expectGood(peer: string, { status, ms }: CallAnswer): void {
  if (status < 400) return;
  throw new Refused(
    PASSED_ON.has(status) ? status : 503,
    `${peer} answered ${status} after ${ms.toFixed(0)} ms`,
  );
}
