import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readBundle } from '#adapters/bundles';
import { fail } from '#kit/app-error';
import type { Alert, Telemetry } from '#spec/data';
import type { TelemetryScope, TelemetrySources } from '#spec/ports';
import {
  bundleSources,
  callTraces,
  INCIDENT_START,
  sampleSystem,
  withSeries,
  writeBundle,
} from '#testkit/bundles';
import { diagnose } from '../rca/diagnose.ts';
import { collectEvidence } from './collect-evidence.ts';
import type { EvidenceRequest } from './evidence-request.ts';

const STARTS_AT = new Date((INCIDENT_START + 120) * 1000).toISOString();
const NOW = (INCIDENT_START + 900) * 1000;

const alert: Alert = {
  fingerprint: 'f1',
  source: 'test',
  status: 'firing',
  title: 'web is slow',
  severity: 'P1',
  service: 'web',
  labels: { alertname: 'WebSlow', service: 'web' },
  annotations: { summary: 'p95 is high', token: 'Bearer abcdefghijklmnopqrstuvwxyz' },
  startsAt: STARTS_AT,
};

const asking = (
  sources: readonly TelemetrySources[],
  more: Partial<EvidenceRequest> = {},
): EvidenceRequest => ({
  incident: {
    id: 'inc_1',
    title: 'web is slow',
    severity: 'P1',
    startsAt: STARTS_AT,
    service: 'web',
    services: ['web'],
    metric: 'latency_ms_avg',
  },
  sources,
  alerts: [alert],
  windows: { baselineMs: 3_600_000, leadMs: 120_000 },
  now: () => NOW,
  signal: new AbortController().signal,
  ...more,
});

/** A ledger that is slow and what waits for it, with traces, lines and a change. */
function troubled(): Telemetry {
  const slow = ['web', 'orders', 'payments', 'ledger-db'].reduce(
    (telemetry, service) =>
      withSeries(telemetry, service, 'latency_ms_avg', (usual, during) => (during ? usual + 300 : usual)),
    sampleSystem(),
  );
  const traces = callTraces({ calls: 40 });
  const shift = 60 * 60;
  return {
    ...slow,
    // The calls of the baseline into the hour that is asked for.
    spans: traces.spans.map((span) =>
      span.start < INCIDENT_START ? { ...span, start: span.start + shift } : span,
    ),
    logs: traces.logs.map((line) =>
      line.time < INCIDENT_START ? { ...line, time: line.time + shift } : line,
    ),
    changes: [
      {
        id: 'd1',
        kind: 'deploy',
        service: 'ledger-db',
        time: new Date((INCIDENT_START - 60) * 1000).toISOString(),
        summary: 'ledger v2',
        details: { diff: '+key: sk-abcdefghijklmnop1234' },
      },
      { id: 'old', kind: 'deploy', service: 'web', time: '2026-02-01T00:00:00Z', summary: 'long ago' },
    ],
  };
}

describe('collectEvidence', () => {
  it('collects a bundle from disk whole, and the diagnosis is the same', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hermes-evidence-'));
    try {
      await writeBundle(folder, troubled());
      const source = bundleSources(await readBundle(folder), 'shop');
      const { telemetry, gaps, asked } = await collectEvidence(asking([source]));
      expect(gaps).toEqual([]);
      expect(telemetry.bundle).toMatchObject({
        id: 'inc_1',
        service: 'web',
        metric: 'latency_ms_avg',
        labels: { alertname: 'WebSlow' },
        incident: { start: new Date(INCIDENT_START * 1000).toISOString(), end: new Date(NOW).toISOString() },
        baseline: { start: new Date((INCIDENT_START - 3_600) * 1000).toISOString() },
      });
      expect(JSON.stringify(telemetry)).not.toContain('abcdefghijklmnop');
      expect(telemetry.changes?.[0]?.details).toEqual({ diff: '+key: [secret:key]' });
      expect(Date.parse(telemetry.bundle.baseline.end)).toBe(INCIDENT_START * 1000 - 1);
      expect(telemetry.metrics).toHaveLength(25);
      expect(telemetry.spans).toHaveLength(400);
      expect(telemetry.logs).toHaveLength(80);
      expect(telemetry.changes?.map(({ id }) => id)).toEqual(['d1']);
      expect(new Set(asked.map(({ source: name, kind }) => `${name} ${kind}`))).toEqual(
        new Set(['shop metrics', 'shop logs', 'shop traces', 'shop topology', 'shop changes']),
      );
      const { status, hypotheses } = diagnose(telemetry);
      expect(status).toBe('concluded');
      expect(hypotheses[0]?.service).toBe('ledger-db');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('goes on without backends that are dead, wrong or slow, and says so', async () => {
    const { logs: _, traces: __, ...rest } = bundleSources(troubled());
    const never = new Promise<never>(() => undefined);
    const started = performance.now();
    const { telemetry, gaps, asked } = await collectEvidence(
      asking(
        [
          rest,
          {
            metrics: { name: 'prometheus', signals: () => never, query: () => never },
            logs: {
              name: 'loki',
              lines: async () => {
                throw fail('backend.unreachable', 'connection refused, Bearer abcdefghijklmnopqrstuvwxyz');
              },
              query: () => never,
            },
            traces: {
              name: 'jaeger',
              spans: () => {
                throw new TypeError('a defect');
              },
              topology: () => never,
            },
          },
        ],
        { limits: { sourceMs: 60, topologyMs: 30 } },
      ),
    );
    expect(performance.now() - started).toBeLessThan(2_000);
    expect(telemetry.metrics.length).toBeGreaterThan(0);
    expect(telemetry.logs).toEqual([]);
    expect(gaps.map(({ en }) => en)).toEqual(
      expect.arrayContaining([
        'metrics: prometheus: no answer within 0.06 s',
        'logs: loki: connection refused, Bearer [secret:bearer]',
        'traces: jaeger: a defect',
        'topology: jaeger: no answer within 0.03 s',
      ]),
    );
    expect(asked.find(({ source }) => source === 'loki')).toMatchObject({ kind: 'logs', found: 0 });
    expect(asked.filter(({ problem }) => problem !== undefined).length).toBeGreaterThanOrEqual(4);
  });

  it('ends with the time for everything and keeps what came', async () => {
    const stuck: TelemetrySources = {
      metrics: {
        name: 'stuck',
        signals: () => new Promise(() => undefined),
        query: () => new Promise(() => undefined),
      },
    };
    const { telemetry, gaps } = await collectEvidence(
      asking([bundleSources(troubled()), stuck], { limits: { wholeMs: 80 } }),
    );
    expect(telemetry.metrics).toHaveLength(25);
    expect(gaps).toContainEqual({
      en: 'metrics: stuck: there was no time left',
      zh: '指标:stuck:剩余时间不足',
    });
  });

  it('stops when the caller does, and tells backends', async () => {
    const stop = new AbortController();
    let told = false;
    const waiting: TelemetrySources = {
      metrics: {
        name: 'waiting',
        query: () => new Promise(() => undefined),
        signals: (_scope, signal) =>
          new Promise((_, reject) => {
            signal.addEventListener('abort', () => {
              told = true;
              reject(new Error('stopped'));
            });
            stop.abort(new Error('the caller left'));
          }),
      },
    };
    await expect(collectEvidence(asking([waiting], { signal: stop.signal }))).rejects.toThrow(
      'the caller left',
    );
    expect(told).toBe(true);
    await expect(collectEvidence(asking([waiting], { signal: stop.signal }))).rejects.toThrow(
      'the caller left',
    );
  });

  it('says what nobody set up', async () => {
    const { telemetry, gaps } = await collectEvidence(asking([]));
    expect(gaps.map(({ en }) => en)).toEqual(
      ['metrics', 'logs', 'traces', 'changes'].map((kind) => `${kind}: no backend is set up`),
    );
    expect(telemetry.changes).toBeUndefined();
    expect(telemetry.topology).toBeUndefined();
  });

  it('keeps the first of two backends that give the same series', async () => {
    const one = troubled();
    const other = {
      ...one,
      metrics: one.metrics.map((series) => ({ ...series, values: series.values.map(() => 7) })),
    };
    const { telemetry } = await collectEvidence(asking([bundleSources(one), bundleSources(other, 'second')]));
    expect(telemetry.metrics).toHaveLength(25);
    expect(telemetry.metrics.some(({ values }) => values.every((value) => value === 7))).toBe(false);
    expect(telemetry.spans).toHaveLength(400);
    expect(telemetry.logs).toHaveLength(80);
  });

  it('bounds what it takes in, keeps the alerting services, and says that more is there', async () => {
    const limits = { series: 7, lines: 10, spans: 50, changes: 1, samples: 500 };
    const many = {
      ...troubled(),
      changes: [1, 2, 3].map((at) => ({
        id: `c${at}`,
        kind: 'config' as const,
        time: STARTS_AT,
        summary: 'x',
      })),
    };
    const { telemetry, gaps } = await collectEvidence(
      asking([bundleSources(many)], {
        limits,
        incident: { ...asking([]).incident, service: 'ledger-db', services: ['ledger-db'] },
      }),
    );
    expect(telemetry.metrics.length).toBeLessThanOrEqual(7);
    expect(telemetry.metrics.filter(({ service }) => service === 'ledger-db')).toHaveLength(5);
    expect(telemetry.metrics.flatMap(({ times }) => times).length).toBeLessThanOrEqual(500);
    expect(telemetry.logs.length).toBeLessThanOrEqual(20);
    expect(telemetry.spans.length).toBeLessThanOrEqual(100);
    expect(telemetry.changes).toHaveLength(1);
    expect(gaps.filter((gap) => gap.en.includes('left out'))).toHaveLength(4);
  });

  it('draws no conclusion from lines that were left out', async () => {
    const says = () => [
      { level: 'INFO', message: 'Charge.java:40 charged' },
      { level: 'ERROR', message: 'Charge.java:41 refused' },
    ];
    const traces = callTraces({ calls: 40, says });
    const source = bundleSources({ ...sampleSystem(), ...traces });
    const { telemetry } = await collectEvidence(
      asking([source], { limits: { lines: 60 }, windows: { baselineMs: 7_200_000, leadMs: 120_000 } }),
    );
    const tied = telemetry.logs.filter(({ spanId }) => spanId !== undefined);
    expect(tied.length).toBeGreaterThan(0);
    expect(tied.every(({ level }) => level === 'ERROR')).toBe(true);
  });

  it('looks at all services of a small system, and near the alert in a large one', async () => {
    const scopes: (readonly string[] | undefined)[] = [];
    const chain = Array.from({ length: 30 }, (_, at) => ({ from: `s${at}`, to: `s${at + 1}` }));
    const source = (edges: typeof chain): TelemetrySources => ({
      metrics: {
        name: 'seen',
        query: async () => ({ items: [], asked: [], cut: false }),
        signals: async ({ services }: TelemetryScope) => {
          scopes.push(services);
          return { items: [], asked: [], cut: false };
        },
      },
      traces: {
        name: 'seen',
        spans: async () => ({ items: [], asked: [], cut: false }),
        topology: async () => ({ edges }),
      },
    });
    const incident = { ...asking([]).incident, service: 's10', services: ['s10', 's11'] };
    await collectEvidence(asking([source(chain.slice(0, 15))], { incident, limits: { services: 20 } }));
    await collectEvidence(asking([source(chain)], { incident, limits: { services: 20 } }));
    await collectEvidence(
      asking([source([])], {
        incident,
        limits: { services: 3 },
        topology: { edges: chain },
        profiles: [{ service: 's10', dependencies: ['vault'], signals: [], names: {}, rules: [] }],
      }),
    );
    expect(scopes[0]).toBeUndefined();
    expect(scopes[1]?.toSorted()).toEqual(['s10', 's11', 's12', 's13', 's8', 's9']);
    expect(scopes[2]).toHaveLength(3);
    expect(scopes[2]?.slice(0, 2)).toEqual(['s10', 's11']);
  });

  it('looks first at what decided before, and runs nothing that a memory says', async () => {
    const scopes: TelemetryScope[] = [];
    const source: TelemetrySources = {
      metrics: {
        name: 'slow-when-wide',
        query: () => {
          throw new Error('a memory was run');
        },
        signals: async (scope) => {
          scopes.push(scope);
          if (!scope.services) return new Promise(() => undefined);
          const items = sampleSystem().metrics.filter(({ service }) => scope.services?.includes(service));
          return { items, asked: [], cut: false };
        },
      },
    };
    const { telemetry } = await collectEvidence(
      asking([source], {
        limits: { wholeMs: 100, series: 6 },
        priors: [
          {
            text: 'seen before',
            source: 'incident',
            ref: 'inc_0',
            score: 0.8,
            checked: ['memory{service="payments"}', 'drop(everything)'],
            fixedBy: 'rollback',
          },
        ],
      }),
    );
    expect(scopes[0]?.services).toEqual(['web', 'payments']);
    expect(telemetry.metrics).toHaveLength(6);
    // The metric that decided then comes before the rest of those that fit.
    expect(telemetry.metrics.slice(0, 2).map(({ metric }) => metric)).toEqual(['memory', 'memory']);
  });

  it('finds the series that an alert means by another name', async () => {
    const incident = { ...asking([]).incident, metric: 'http_request_duration_seconds_avg' };
    const { telemetry } = await collectEvidence(asking([bundleSources(troubled())], { incident }));
    expect(telemetry.bundle.metric).toBe('latency_ms_avg');
    const other = { ...asking([]).incident, metric: 'basket_size' };
    const kept = await collectEvidence(asking([bundleSources(troubled())], { incident: other }));
    expect(kept.telemetry.bundle.metric).toBe('basket_size');
  });

  it('takes an alert from the future as one from now, and an old one as it began', async () => {
    const at = (startsAt: string) => ({ ...asking([]).incident, startsAt });
    const future = await collectEvidence(
      asking([], { incident: at(new Date(NOW + 3_600_000).toISOString()) }),
    );
    expect(future.telemetry.bundle.incident).toEqual({
      start: new Date(NOW - 120_000).toISOString(),
      end: new Date(NOW).toISOString(),
    });
    const old = await collectEvidence(asking([], { incident: at('2026-01-01T00:00:00Z') }));
    expect(old.telemetry.bundle.incident.end).toBe('2026-01-01T02:00:00.000Z');
  });
});
