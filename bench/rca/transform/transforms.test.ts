import { describe, expect, it } from 'vitest';
import type { Change, Telemetry } from '#spec/data';
import { INCIDENT_START, sampleSystem, withSeries } from '#testkit/bundles';
import { seeded } from '../../learning/seeded.ts';
import type { LabelledCase } from './transform.ts';
import { TRANSFORMS } from './transforms.ts';

const at = (minutes: number): string => new Date((INCIDENT_START + minutes * 60) * 1000).toISOString();

const CHANGES: Change[] = [
  {
    id: 'c1',
    kind: 'commit',
    time: at(-9),
    summary: 'orders: one more retry',
    details: { diff: '-retries = 2\n+retries = 3', files: ['orders/retry.go'] },
  },
  {
    id: 'd1',
    kind: 'deploy',
    service: 'orders',
    time: at(-2),
    summary: 'orders v2',
    details: { commit: 'c1' },
  },
  { id: 'f1', kind: 'flag', service: 'web', time: at(8), summary: 'banner off->on' },
];

const SYSTEM = withSeries(
  withSeries(
    sampleSystem({ title: 'latency_ms_avg of web is out of range' }),
    'web',
    'requests_to_orders',
    () => 90,
  ),
  'web',
  'latency_ms_avg@v2',
  () => 120,
);
const GIVEN: LabelledCase = {
  telemetry: {
    ...SYSTEM,
    changes: CHANGES,
    logs: [
      { time: INCIDENT_START, service: 'orders', message: 'orders asks payments again' },
      { time: INCIDENT_START + 60, service: 'status-feed:acme', message: 'Investigating elevated errors' },
    ],
  },
  cause: 'c1',
  asked: 'change',
};

const apply = (name: string, given: LabelledCase = GIVEN): LabelledCase | undefined =>
  TRANSFORMS.get(name)?.apply(given, seeded(name));
const applied = (name: string, given?: LabelledCase): LabelledCase => {
  const changed = apply(name, given);
  if (!changed) throw new Error(`${name} left the case as it was`);
  return changed;
};
const names = ({ metrics }: Telemetry, service: string): string[] =>
  metrics.filter((series) => series.service === service).map(({ metric }) => metric);
const valuesOf = ({ metrics }: Telemetry, service: string, metric: string): readonly number[] =>
  metrics.find((series) => series.service === service && series.metric === metric)?.values ?? [];

describe('transformations', () => {
  it.each([...TRANSFORMS.keys()])(
    '%s gives the same every time and touches nothing that it was given',
    (name) => {
      const copy = structuredClone(GIVEN);
      expect(apply(name)).toEqual(apply(name));
      expect(GIVEN).toEqual(copy);
    },
  );

  it.each([
    ['count-to-rate', 'requests', 'requests_per_s', (value: number) => value / 60],
    ['errors-to-availability', 'error_rate', 'availability_pct', (value: number) => 100 - value * 100],
    ['time-in-seconds', 'latency_ms_avg', 'latency_seconds_avg', (value: number) => value / 1000],
    ['time-in-minutes', 'latency_ms_avg', 'latency_minutes_avg', (value: number) => value / 60_000],
  ])('%s says %s as %s', (name, from, to, form) => {
    const { telemetry } = applied(name);
    const expected = valuesOf(SYSTEM, 'orders', from).map(form);
    expect(names(telemetry, 'orders')).not.toContain(from);
    for (const [index, value] of valuesOf(telemetry, 'orders', to).entries())
      expect(value).toBeCloseTo(expected[index] ?? Number.NaN, 9);
    expect(valuesOf(telemetry, 'orders', to)).toHaveLength(expected.length);
  });

  it.each([
    ['count-to-rate', 'rate-to-count'],
    ['errors-to-availability', 'availability-to-errors'],
    ['time-in-minutes', 'time-in-ms'],
  ])('%s is taken back by %s', (there, back) => {
    const { telemetry } = applied(back, applied(there));
    expect(telemetry.metrics.map(({ metric }) => metric)).toEqual(
      GIVEN.telemetry.metrics.map(({ metric }) => metric),
    );
    expect(telemetry.bundle).toEqual(GIVEN.telemetry.bundle);
    for (const [index, value] of valuesOf(telemetry, 'web', 'requests').entries())
      expect(value).toBeCloseTo(valuesOf(SYSTEM, 'web', 'requests')[index] ?? Number.NaN, 6);
  });

  it('keep call edges, versions and the alert in step with a metric that is called otherwise', () => {
    expect(names(applied('count-to-rate').telemetry, 'web')).toContain('requests_per_s_to_orders');
    const { telemetry } = applied('time-in-seconds');
    expect(names(telemetry, 'web')).toContain('latency_seconds_avg@v2');
    expect(telemetry.bundle).toMatchObject({
      metric: 'latency_seconds_avg',
      title: 'latency_seconds_avg of web is out of range',
    });
  });

  it('give metrics names that say nothing, the same everywhere', () => {
    const { telemetry } = applied('opaque-metric-names');
    const [, ...rest] = names(telemetry, 'orders');
    expect(rest.every((name) => /^[a-z]{7}$/.test(name))).toBe(true);
    expect(names(telemetry, 'orders')).toEqual(names(telemetry, 'payments'));
    expect(names(telemetry, 'web')).toContain(telemetry.bundle.metric);
    expect(names(telemetry, 'web').some((name) => name.endsWith('_to_orders'))).toBe(true);
  });

  it('give services other names in every text, and remember the old ones', () => {
    const { telemetry, recorded } = applied('random-service-names');
    for (const name of ['web', 'orders', 'payments', 'ledger-db', 'catalogue'])
      expect(JSON.stringify(telemetry).match(new RegExp(`\\b${name}\\b`))).toBeNull();
    expect(new Set(recorded?.values())).toEqual(
      new Set(['web', 'orders', 'payments', 'ledger-db', 'catalogue']),
    );
    expect(recorded?.get(telemetry.bundle.service ?? '')).toBe('web');
    expect(telemetry.logs.map(({ service }) => service)).toContain('status-feed:acme');
  });

  it('follow a culprit that is a service', () => {
    const { cause, recorded } = applied('random-service-names', {
      ...GIVEN,
      cause: 'orders',
      asked: 'service',
    });
    expect(recorded?.get(cause)).toBe('orders');
  });

  it('call the page of a vendor otherwise', () => {
    const { telemetry } = applied('vendor-feed-renamed');
    expect(telemetry.logs.map(({ service }) => service)).toContain('updates-from-acme');
  });

  it('take the names from an alert, in its title too', () => {
    const { bundle } = applied('alert-without-both').telemetry;
    expect(bundle).not.toHaveProperty('service');
    expect(bundle).not.toHaveProperty('metric');
    expect(bundle.title).toBe('a metric of a service is out of range');
  });

  it('show nothing that came later than they look', () => {
    const { telemetry } = applied('looked-at-after-2-min');
    const until = INCIDENT_START + 240;
    expect(Math.max(...telemetry.metrics.flatMap(({ times }) => times))).toBe(until);
    expect(telemetry.bundle.incident.end).toBe(at(4));
    expect(telemetry.changes?.map(({ id }) => id)).toEqual(['c1', 'd1']);
  });

  it('take the guilty commit out with the deploy that brought it', () => {
    const { telemetry, cause } = applied('culprit-removed');
    expect(cause).toBe('none');
    expect(telemetry.changes?.map(({ id }) => id)).toEqual(['f1']);
  });

  it('add decoys near the culprit in place and time, and never at a service that failed by itself', () => {
    const { telemetry, cause } = applied('decoys');
    const decoys = telemetry.changes?.slice(CHANGES.length) ?? [];
    expect(cause).toBe('c1');
    expect(decoys.some(({ service }) => service === 'orders')).toBe(true);
    for (const { time } of decoys)
      expect(Math.abs(Date.parse(time) - Date.parse(at(-2)))).toBeLessThanOrEqual(600_000);
    const alone = applied('decoys', { telemetry: SYSTEM, cause: 'orders', asked: 'service' });
    expect(alone.telemetry.changes?.length).toBeGreaterThan(3);
    expect(alone.telemetry.changes?.some(({ service }) => service === 'orders')).toBe(false);
  });

  it('roll new versions out in steps where nobody is to blame, and nowhere else', () => {
    expect(apply('innocent-rollouts')).toBeUndefined();
    const { telemetry } = applied('innocent-rollouts', {
      telemetry: sampleSystem(),
      cause: 'none',
      asked: 'service',
    });
    const [rollout] = telemetry.changes ?? [];
    const [before, after] = ['1.0.0', '1.0.1'].map((version) =>
      valuesOf(telemetry, 'web', `requests@${version}`),
    );
    expect(rollout).toMatchObject({ service: 'web', kind: 'deploy' });
    const whole = valuesOf(telemetry, 'web', 'requests').reduce((sum, value) => sum + value, 0);
    const parts = [...(before ?? []), ...(after ?? [])].reduce((sum, value) => sum + value, 0);
    expect(parts).toBeCloseTo(whole, 6);
  });

  it('leave a case alone that has nothing to change', () => {
    const bare: LabelledCase = {
      telemetry: { ...sampleSystem(), metrics: [] },
      cause: 'none',
      asked: 'service',
    };
    for (const name of [
      'count-to-rate',
      'without-requests',
      'without-logs',
      'without-spans',
      'without-diffs',
    ])
      expect(apply(name, bare)).toBeUndefined();
  });
});
