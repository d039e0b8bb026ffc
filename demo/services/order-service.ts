import { between, wait } from '../runtime/wait.ts';
import type { Service, ServiceParts } from './service-parts.ts';

const STOCK_CHECK_MS = [22, 40] as const;

/** `POST /orders` {account, item}: checks the stock and keeps the order. */
export const orderService = ({ data }: ServiceParts): Service => ({
  endpoints: [
    {
      method: 'POST',
      route: '/orders',
      path: /^\/orders$/,
      handle: async ({ body, span, version }) => {
        const checking = span.child('check stock', 'internal');
        await wait(between(...STOCK_CHECK_MS));
        checking.end();
        const lease = await data.acquire(version, span);
        try {
          const values = [String(body['account']), String(body['item']), Date.now()];
          await data.query(lease, 'INSERT INTO orders (account, item, at) VALUES (?, ?, ?)', values, span);
        } finally {
          lease.release();
        }
        return { status: 201, body: { state: 'placed' } };
      },
    },
  ],
});
