import type { DeployedService } from '#kit/deploy-registry';
import type { Meter } from '../telemetry/instruments.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Span } from '../telemetry/tracer.ts';
import { behaviourOf } from '../system/release-behaviour.ts';
import type { ServiceName } from '../system/service-names.ts';
import { type ConnectionPool, createPool, type Lease, PoolExhausted } from './connection-pool.ts';
import {
  type Connection,
  type DatabaseOptions,
  openConnection,
  type Row,
  StatementTimeout,
} from './database.ts';
import { Refused } from './refused.ts';
import { setting } from './registry-file.ts';

export interface DataAccess {
  /** A connection of the release's own pool. Throws `Refused` 503 when none comes free in time. */
  acquire(version: string, span: Span): Promise<Lease<Connection>>;
  /** One statement under its own span. */
  query(
    lease: Lease<Connection>,
    sql: string,
    values: readonly (string | number)[],
    span: Span,
  ): Promise<Row[]>;
  /** Obeys the registry: sizes, and pools of releases and databases that are no longer in use. */
  obey(state: DeployedService): void;
  measure(): void;
  close(): void;
}

const SLOW_MS = 200;
/** What a retired pool has not got back by then was leaked. */
const LEAKED_MS = 5_000;

/** Every release has a pool of its own on the database that is active. */
export function createDataAccess(
  service: ServiceName,
  options: DatabaseOptions,
  telemetry: { readonly meter: Meter; readonly logger: Logger },
  initial: DeployedService,
): DataAccess {
  const { meter, logger } = telemetry;
  const pools = new Map<string, { version: string; pool: ConnectionPool<Connection> }>();
  let state = initial;
  const sizeOf = (version: string): number =>
    behaviourOf(service, version).poolSize ?? setting(state, 'pool_size', 10);
  const poolOf = (version: string): ConnectionPool<Connection> => {
    const { active } = state;
    const key = `${version} ${active}`;
    const known = pools.get(key);
    if (known) return known.pool;
    const pool = createPool(
      () => openConnection(options, active),
      (connection) => connection.close(),
      sizeOf(version),
    );
    pools.set(key, { version, pool });
    return pool;
  };
  const labels = (version: string) => ({ version, pool: `${service}-db` });

  return {
    acquire: async (version, span) => {
      const pool = poolOf(version);
      const began = performance.now();
      try {
        return await pool.acquire(setting(state, 'pool_wait_ms', 500));
      } catch (error) {
        if (!(error instanceof PoolExhausted)) throw error;
        meter.measure('poolTimeouts', 1, labels(version));
        span.child('acquire connection', 'internal', { 'service.version': version }).end(error.message);
        throw new Refused(503, error.message, 'pool_exhausted');
      } finally {
        meter.measure('poolWait', (performance.now() - began) / 1000, labels(version));
      }
    },
    query: async ({ connection }, sql, values, parent) => {
      const operation = sql.slice(0, sql.indexOf(' '));
      const target = connection.target;
      const span = parent.child(`${operation} ${service}-db`, 'client', {
        'db.system.name': 'sqlite',
        'db.namespace': target,
        'db.query.text': sql,
      });
      const began = performance.now();
      const measure = (error: string): number => {
        const ms = performance.now() - began;
        meter.measure('queried', ms / 1000, { operation, target, error });
        return ms;
      };
      try {
        const rows = await connection.run(sql, values);
        const ms = measure('');
        span.end();
        if (ms > SLOW_MS) logger.log('warn', `slow query: ${ms.toFixed(0)} ms on ${target}: ${sql}`, parent);
        return rows;
      } catch (error) {
        if (!(error instanceof StatementTimeout)) throw error;
        measure('timeout');
        span.end(error.message);
        throw new Refused(503, error.message, 'statement_timeout');
      }
    },
    obey: (next) => {
      state = next;
      const versions = new Set([next.version, next.canary?.version]);
      for (const [key, { version, pool }] of pools) {
        pool.resize(sizeOf(version));
        if (versions.has(version) && key.endsWith(` ${next.active}`)) continue;
        pool.retire();
        setTimeout(() => pool.retire(true), LEAKED_MS).unref();
        pools.delete(key);
        forgetPool(meter, labels(version));
      }
    },
    measure: () => {
      for (const { version, pool } of pools.values()) {
        meter.measure('poolUsed', pool.inUse, { ...labels(version), state: 'used' });
        meter.measure('poolMost', pool.size, labels(version));
        meter.measure('poolPending', pool.pending, labels(version));
      }
    },
    close: () => {
      for (const { pool } of pools.values()) pool.retire(true);
    },
  };
}

function forgetPool(meter: Meter, labels: Readonly<Record<string, string>>): void {
  meter.forget('poolUsed', { ...labels, state: 'used' });
  meter.forget('poolMost', labels);
  meter.forget('poolPending', labels);
}
