import { describe, expect, it } from 'vitest';
import type { Change, LogLine, Rca, SpanRecord, Telemetry } from '#spec/data';
import { BASELINE_START, INCIDENT_START, sampleSystem, withSeries } from '#testkit/bundles';
import { diagnose } from './diagnose.ts';

const iso = (time: number): string => new Date(time * 1000).toISOString();

/** Slower at a service and, by as much, at everything that waits for it. */
const slower = (telemetry: Telemetry, services: readonly string[], addedMs: number): Telemetry =>
  services.reduce(
    (changed, service) =>
      withSeries(changed, service, 'latency_ms_avg', (usual, during) => (during ? usual + addedMs : usual)),
    telemetry,
  );

/** A line a minute in each window, and complaints in the second. */
function withComplaints(telemetry: Telemetry, service: string, messages: readonly string[]): Telemetry {
  const logs: LogLine[] = [];
  for (let minute = 0; minute < 14; minute++) {
    for (const start of [BASELINE_START, INCIDENT_START]) {
      logs.push({ time: start + minute * 60, service, level: 'info', message: 'served' });
    }
    for (const message of messages) {
      logs.push({
        time: INCIDENT_START + minute * 60,
        service,
        level: 'error',
        message: `${message} ${minute}`,
      });
    }
  }
  return { ...telemetry, logs: [...telemetry.logs, ...logs] };
}

const first = (telemetry: Telemetry): Rca['hypotheses'][number] | undefined =>
  diagnose(telemetry).hypotheses[0];
const slowOrders = (): Telemetry => slower(sampleSystem(), ['web', 'orders'], 300);

describe('the kind of a fault', () => {
  it.each([
    ['rate limit exceeded: 34 requests/s against 25 allowed', 'rate_limit'],
    ['rules timed out: no answer within 1200 ms', 'dependency_timeout'],
    ['slow query: 420 ms on primary', 'database_latency'],
    ['连接池已耗尽:等待 3000 毫秒', 'connection_pool'],
    ['磁盘空间不足', 'disk'],
    ['hot key coupon:SALE: lock waited 110 ms', 'hot_key'],
    ['memory pressure: 204 MB of 304 MB in use', 'resource_exhaustion'],
    ['panic: snapshot corrupt; process exits with code 1', 'crash_loop'],
    ['connection pool exhausted: 2/2 in use', 'connection_pool'],
  ])('is what its service complains of: %s', (message, category) => {
    const rca = diagnose(withComplaints(slowOrders(), 'orders', [message]));
    expect(rca.hypotheses[0]).toMatchObject({ service: 'orders', category });
    const cited = rca.evidence.filter(({ id }) => rca.hypotheses[0]?.supports.includes(id));
    expect(cited.some(({ kind, service }) => kind === 'log' && service === 'orders')).toBe(true);
  });

  it('is not what its service says of another', () => {
    const told = withComplaints(slowOrders(), 'orders', [
      'payments: connection pool exhausted',
      'rate limit exceeded',
    ]);
    expect(first(told)?.category).toBe('rate_limit');
  });

  it('is what brings the others about', () => {
    const both = ['statement timeout after 500 ms', 'connection pool exhausted: 20/20 in use'];
    expect(first(withComplaints(slowOrders(), 'orders', both))?.category).toBe('database_latency');
  });

  it('shows in counters where nothing is logged, and not in requests in flight', () => {
    const refused = withSeries(slowOrders(), 'orders', 'errors_429_per_second', (_, during) =>
      during ? 4 : 0,
    );
    expect(first(refused)?.category).toBe('rate_limit');
    const flight = withSeries(slowOrders(), 'orders', 'requests_in_flight', (_, during) => (during ? 12 : 0));
    expect(first(flight)?.category).toBe('service_fault');
  });

  it('comes with what was asked for where it is a limit', () => {
    const { evidence, hypotheses } = diagnose(
      withComplaints(slowOrders(), 'orders', ['rate limit exceeded']),
    );
    const demand = evidence.find(({ summary }) => summary.en.startsWith('requests of orders went from'));
    expect(hypotheses[0]?.supports).toContain(demand?.id);
  });

  it.each([
    ['a count of waits', 'pool_wait_time_per_second', 1, 9],
    ['a limit', 'process_memory_limit', 1, 9],
    ['one connection more', 'connection_pool_connections', 0, 1],
  ])('is not read from %s', (_what, metric, before, after) => {
    const { metric: _, ...bundle } = sampleSystem().bundle;
    const moved = withSeries({ ...sampleSystem(), bundle }, 'orders', metric, (_usual, during) =>
      during ? after : before,
    );
    expect(diagnose(moved).status).toBe('no_incident');
  });
});

describe('a database that reports nothing itself', () => {
  const slowStore = (metric: string): Telemetry => {
    const quick = withSeries(slower(sampleSystem(), ['web', 'orders'], 300), 'payments', metric, () => 4);
    return withSeries(quick, 'orders', metric, (_, during) => (during ? 300 : 4));
  };

  it('is a matter of the service that asks it, also where others call theirs the same', () => {
    expect(first(slowStore('latency_ms_mean_to_primary'))).toMatchObject({
      service: 'orders',
      category: 'database_latency',
    });
  });

  it('is known by its name in spans', () => {
    const telemetry = slowStore('latency_ms_mean_to_ledger');
    const span: SpanRecord = {
      traceId: 'a',
      spanId: '1',
      service: 'orders',
      operation: 'SELECT',
      start: BASELINE_START + 1,
      durationMs: 3,
      attributes: { 'db.namespace': 'ledger' },
    };
    expect(first({ ...telemetry, spans: [span] })).toMatchObject({
      service: 'orders',
      category: 'database_latency',
    });
  });
});

describe('a service that falls silent', () => {
  const silent = (after: number): Telemetry => {
    const base = withSeries(
      sampleSystem({ metric: 'error_rate', title: 'web fails' }),
      'web',
      'error_rate',
      (usual, during) => (during ? usual + 0.2 : usual),
    );
    return {
      ...base,
      metrics: base.metrics.map((series) => {
        if (series.service !== 'payments') return series;
        const kept = series.times.filter((time) => time < INCIDENT_START + after);
        return { ...series, times: kept, values: series.values.slice(0, kept.length) };
      }),
    };
  };

  it('is gone, while others go on', () => {
    const { evidence } = diagnose(silent(120));
    expect(evidence.some(({ summary }) => summary.en.startsWith('payments reports nothing since'))).toBe(
      true,
    );
  });

  it('is not taken for gone over a late sample', () => {
    const { evidence } = diagnose(silent(800));
    expect(evidence.some(({ summary }) => summary.en.includes('reports nothing'))).toBe(false);
  });
});

describe('more traffic', () => {
  const busier = (fold: number, addedMs: number): Telemetry => {
    const { metric: _, ...bundle } = sampleSystem({ title: 'web gets many visits' }).bundle;
    const base = slower({ ...sampleSystem(), bundle }, ['web', 'orders', 'catalogue'], addedMs);
    return ['web', 'orders', 'payments', 'ledger-db', 'catalogue'].reduce(
      (telemetry, service) =>
        withSeries(telemetry, service, 'requests', (usual, during) => (during ? usual * fold : usual)),
      base,
    );
  };
  const deploy: Change = {
    id: 'dep-1',
    kind: 'deploy',
    service: 'web',
    time: iso(INCIDENT_START - 60),
    summary: 'web v2: visits are counted anew',
  };

  it('blames nobody for a little more time, and no change that came with it', () => {
    const rca = diagnose({ ...busier(4, 8), changes: [deploy] });
    expect(rca.status).toBe('concluded');
    expect(rca.hypotheses[0]?.category).toBe('traffic_surge');
    expect(rca.hypotheses[0]?.service).toBeUndefined();
    expect(rca.hypotheses.some(({ undo }) => undo)).toBe(false);
  });

  it('names the one that became many times slower under it next, and first where there is no more of it', () => {
    const { hypotheses } = diagnose(slower(busier(4, 8), ['payments'], 900));
    expect(hypotheses.slice(0, 2).map(({ service, category }) => service ?? category)).toEqual([
      'traffic_surge',
      'payments',
    ]);
    expect(first(slower(busier(1, 8), ['payments'], 900))?.service).toBe('payments');
  });
});
