import { createKeyedCache, KeyContended } from '../runtime/keyed-cache.ts';
import { Refused } from '../runtime/refused.ts';
import { setting } from '../runtime/registry-file.ts';
import { between, wait } from '../runtime/wait.ts';
import type { Row } from '../runtime/database.ts';
import type { Span } from '../telemetry/tracer.ts';
import type { Service, ServiceParts } from './service-parts.ts';

const LOCK_WAIT_MS = 800;
const CONTENDED_MS = 100;
/** Handing out an entry that has grown beyond reason. */
const BLOATED_MS = 170;
const RULES_MS = [15, 30] as const;

/** `GET /coupons/:id`: the coupon out of the cache or the database, and whether the promotion rules allow it. */
export function couponService(parts: ServiceParts): Service {
  const { meter, logger, data, state, world } = parts;
  let flushedAt = state().cacheFlushedAt;
  const isBloated = (key: string): boolean => {
    const { hotKey } = world();
    return hotKey?.key === key && !(flushedAt !== undefined && Date.parse(flushedAt) > hotKey.since);
  };
  const cache = createKeyedCache<Row>({
    ttlMs: () => setting(state(), 'cache_ttl_ms', 30_000),
    transfer: (key) => (isBloated(key) ? wait(BLOATED_MS) : Promise.resolve()),
  });

  const fromDatabase = async (id: string, version: string, span: Span): Promise<Row> => {
    const lease = await data.acquire(version, span);
    try {
      const [row] = await data.query(lease, 'SELECT id, percent FROM coupons WHERE id = ?', [id], span);
      if (!row) throw new Refused(404, `there is no coupon ${id}`);
      return row;
    } finally {
      lease.release();
    }
  };

  const readCoupon = async (id: string, version: string, parent: Span): Promise<Row> => {
    const key = `coupon:${id}`;
    const span = parent.child('GET coupon', 'client', { 'db.system.name': 'redis', 'cache.key': key });
    try {
      const read = await cache.read(key, () => fromDatabase(id, version, span), LOCK_WAIT_MS);
      meter.measure(read.hit ? 'cacheHits' : 'cacheMisses', 1);
      meter.measure('cacheWait', read.waitedMs / 1000);
      span.set({ 'cache.hit': read.hit, 'cache.lock.wait_ms': Math.round(read.waitedMs) });
      span.end();
      if (read.waitedMs > CONTENDED_MS)
        logger.log(
          'warn',
          `hot key ${key}: lock waited ${read.waitedMs.toFixed(0)} ms behind ${read.ahead} readers, value 8.4 MB`,
          parent,
        );
      return read.value;
    } catch (error) {
      span.end(error instanceof Error ? error.message : String(error));
      if (!(error instanceof KeyContended)) throw error;
      meter.measure('cacheWait', error.waitedMs / 1000);
      throw new Refused(503, error.message, 'lock_timeout');
    }
  };

  /** The rules are kept by a partner, outside of this system. */
  const checkRules = async (parent: Span): Promise<void> => {
    const span = parent.child('check promotion rules', 'internal');
    if (!world().rulesStuck) {
      await wait(between(...RULES_MS));
      span.end();
      return;
    }
    const most = setting(state(), 'rules_timeout_ms', 1200);
    await wait(most);
    const message = `promotion rules timed out: no answer within ${most} ms`;
    span.end(message);
    throw new Refused(504, message, 'timeout');
  };

  return {
    endpoints: [
      {
        method: 'GET',
        route: '/coupons/:id',
        path: /^\/coupons\/([\w-]+)$/,
        handle: async ({ params: [id = ''], span, version }) => {
          const coupon = await readCoupon(id, version, span);
          await checkRules(span);
          return { status: 200, body: coupon };
        },
      },
    ],
    obey: ({ cacheFlushedAt }) => {
      if (cacheFlushedAt === flushedAt) return;
      flushedAt = cacheFlushedAt;
      cache.flush();
      logger.log('info', 'cache flushed');
    },
  };
}
