import { asText } from '#kit/text';
import { describe, expect, it } from 'vitest';
import { EvidenceResult, type Rca, type Telemetry } from '#spec/data';
import { callTraces, INCIDENT_START, sampleSystem, withSeries } from '#testkit/bundles';
import type { AskedRecord } from '../../evidence/asked-record.ts';
import { diagnose } from '../diagnose.ts';
import { checkCitations } from './check-citations.ts';
import { groundEvidence } from './ground-evidence.ts';

const iso = (time: number): string => new Date(time * 1000).toISOString();

const slower = (telemetry: Telemetry, services: readonly string[]): Telemetry =>
  services.reduce(
    (changed, service) =>
      withSeries(changed, service, 'latency_ms_avg', (usual, during) => (during ? usual + 300 : usual)),
    telemetry,
  );

/** Everything at once: a deploy, a slow service, failing calls, complaints, two versions. */
function troubled(): Telemetry {
  const traces = callTraces({
    calls: 40,
    delayMs: (during) => (during ? 800 : 2),
    fails: (during, call) => during && call % 3 === 0,
    says: (during) => [
      { level: 'INFO', message: 'Charge.java:40 charged' },
      ...(during
        ? [{ level: 'ERROR', message: 'Pool.java:12 connection pool exhausted: 20 of 20 in use' }]
        : []),
    ],
  });
  const slow = slower(sampleSystem(), ['web', 'orders', 'payments']);
  const versions = [1, 2].reduce(
    (telemetry, version) =>
      withSeries(telemetry, 'payments', `error_rate@v${version}`, (_usual, during) =>
        during && version === 2 ? 0.4 : 0.001 * version,
      ),
    slow,
  );
  return {
    ...versions,
    ...traces,
    changes: [
      {
        id: 'deploy-9',
        kind: 'deploy',
        service: 'payments',
        time: iso(INCIDENT_START - 30),
        summary: 'payments v2: connection pool',
        details: { version: 'v2' },
      },
      {
        id: 'late',
        kind: 'config',
        service: 'payments',
        time: iso(INCIDENT_START + 700),
        summary: 'pool size',
      },
    ],
  };
}

const cited = ({ hypotheses }: Rca): string[] => [
  ...new Set(hypotheses.flatMap(({ supports, refutes }) => [...supports, ...refutes])),
];

describe('groundEvidence', () => {
  it('ties every id that is cited to what shows it', () => {
    const telemetry = troubled();
    const { rca, results } = groundEvidence(diagnose(telemetry), telemetry, []);
    expect(checkCitations(rca, results)).toEqual([]);
    const kinds = new Set(cited(rca).map((id) => id.replace(/_\d+$/, '')));
    expect(kinds).toEqual(new Set(['ev_metric', 'ev_log', 'ev_trace', 'ev_change']));
    expect(cited(rca).every((id) => EvidenceResult.safeParse(results[id]).success)).toBe(true);
    const log = rca.evidence.find(({ kind }) => kind === 'log');
    expect(results[log?.id ?? '']?.lines?.length).toBeGreaterThan(0);
    const change = rca.evidence.find(({ summary }) => summary.en.includes('deploy-9'));
    expect(results[change?.id ?? '']?.changes?.[0]?.id).toBe('deploy-9');
  });

  it('gives the same ids for the same telemetry in another order', () => {
    const telemetry = troubled();
    const turned = {
      ...telemetry,
      metrics: telemetry.metrics.toReversed(),
      spans: telemetry.spans.toReversed(),
      logs: telemetry.logs.toReversed(),
    };
    const summaries = (given: Telemetry) =>
      groundEvidence(diagnose(given), given, []).rca.evidence.map(({ id, summary }) => `${id} ${summary.en}`);
    expect(summaries(turned)).toEqual(summaries(telemetry));
  });

  it('keeps slices small, and they still show the change', () => {
    const telemetry = troubled();
    const dense = {
      ...telemetry,
      metrics: telemetry.metrics.map((series) => ({
        ...series,
        times: series.times.flatMap((time) => Array.from({ length: 60 }, (_, second) => time + second)),
        values: series.values.flatMap((value) => Array.from({ length: 60 }, () => value)),
      })),
    };
    const { rca, results } = groundEvidence(diagnose(dense), dense, []);
    expect(checkCitations(rca, results)).toEqual([]);
    for (const { series = [], lines = [], spans = [] } of Object.values(results)) {
      expect(series.reduce((sum, { times }) => sum + times.length, 0)).toBeLessThanOrEqual(500);
      expect(lines.length).toBeLessThanOrEqual(50);
      expect(spans.length).toBeLessThanOrEqual(50);
    }
  });

  it('shows a quiet hour by the metric of the alert', () => {
    const telemetry = sampleSystem();
    const { rca, results } = groundEvidence(diagnose(telemetry), telemetry, []);
    expect(rca.status).toBe('no_incident');
    expect(checkCitations(rca, results)).toEqual([]);
    expect(results['ev_metric_1']?.series?.[0]).toMatchObject({ service: 'web', metric: 'latency_ms_avg' });
  });

  it('shows what only the alert says as a line of the alert', () => {
    const telemetry = sampleSystem({ annotations: { description: 'x509: certificate has expired' } });
    const { rca, results } = groundEvidence(diagnose(telemetry), telemetry, []);
    const said = rca.evidence.find(({ kind }) => kind === 'log');
    expect(said?.source).toBe('alert');
    expect(results[said?.id ?? '']?.lines?.[0]?.message).toContain('certificate has expired');
  });

  it('names the backend and its own query where that is sure, and keeps ours where it is not', () => {
    const telemetry = troubled();
    const { incident, baseline } = telemetry.bundle;
    const record = { found: 3, ms: 1 };
    const asked: AskedRecord[] = [
      {
        ...record,
        source: 'prometheus',
        kind: 'metrics',
        window: { start: baseline.start, end: incident.end },
        query: 'avg by (service) (rate(http_seconds_sum[1m]))',
        link: 'http://prometheus.internal/graph?x',
        gives: ['latency_ms_avg'],
      },
      {
        ...record,
        source: 'prometheus',
        kind: 'metrics',
        window: { start: baseline.start, end: incident.end },
        query: 'other',
        gives: ['cpu'],
      },
      { ...record, source: 'loki', kind: 'logs', window: baseline, query: '{app=~".+"}' },
      { ...record, source: 'loki', kind: 'logs', window: incident, query: '{app="payments"}' },
      { ...record, source: 'loki', kind: 'logs', window: incident, query: '{app="web"}' },
      {
        ...record,
        source: 'registry',
        kind: 'changes',
        window: { start: baseline.start, end: incident.end },
        query: '',
      },
    ];
    const { rca } = groundEvidence(diagnose(telemetry), telemetry, asked);
    const of = (kind: string, text: string) =>
      rca.evidence.find((evidence) => evidence.kind === kind && evidence.summary.en.includes(text));
    expect(of('metric', 'latency_ms_avg')).toMatchObject({
      source: 'prometheus',
      query: 'avg by (service) (rate(http_seconds_sum[1m]))',
      link: 'http://prometheus.internal/graph?x',
    });
    expect(of('metric', 'error_rate@v2')).toMatchObject({
      source: 'prometheus',
      query: 'error_rate@v2{service="payments"}',
    });
    expect(of('log', 'payments')).toMatchObject({ source: 'loki', query: '{app="payments"}' });
    expect(of('change', 'deploy-9')).toMatchObject({ source: 'registry', query: 'changes{id="deploy-9"}' });
    expect(rca.evidence.find(({ kind }) => kind === 'trace')).not.toHaveProperty('source');
  });

  it('makes a backend that did not answer a piece of evidence', () => {
    const NO_LINES = {
      en: 'loki gave no log lines: connection refused',
      zh: 'loki 没有给出日志:connection refused',
    };
    const telemetry = troubled();
    const window = telemetry.bundle.incident;
    const dead = {
      source: 'loki',
      kind: 'logs',
      window,
      query: '',
      found: 0,
      ms: 5,
      problem: asText('connection refused'),
    } as const;
    const { rca, results } = groundEvidence(diagnose(telemetry), telemetry, [dead, { ...dead, ms: 9 }]);
    const gaps = rca.evidence.filter(({ kind }) => kind === 'gap');
    expect(gaps).toMatchObject([{ id: 'ev_gap_1', source: 'loki', summary: NO_LINES }]);
    expect(results['ev_gap_1']).toEqual({});
    expect(rca.missing).toContainEqual(NO_LINES);
  });
});

describe('checkCitations', () => {
  const telemetry = troubled();
  const grounded = groundEvidence(diagnose(telemetry), telemetry, []);
  const metric = grounded.rca.evidence.find(
    ({ kind, baseline }) => kind === 'metric' && baseline !== undefined,
  );
  const withEvidence = (change: object): Rca => ({
    ...grounded.rca,
    evidence: grounded.rca.evidence.map((one) => (one.id === metric?.id ? { ...one, ...change } : one)),
  });

  it('finds an id that is not there, and one without a result', () => {
    const first = { ...grounded.rca.hypotheses[0], supports: ['ev_metric_99'] } as Rca['hypotheses'][number];
    const rca = { ...grounded.rca, hypotheses: [first] };
    expect(checkCitations(rca, grounded.results)).toMatchObject([
      { en: 'no conclusion: ev_metric_99 is cited and is no evidence of this diagnosis' },
    ]);
    const { [metric?.id ?? '']: _, ...others } = grounded.results;
    expect(checkCitations(grounded.rca, others)[0]?.en).toContain('nothing is stored for it');
  });

  it('finds numbers that the samples do not show', () => {
    const { baseline = 0, during = 0 } = metric ?? {};
    expect(checkCitations(withEvidence({ baseline: baseline * 2 + 1 }), grounded.results)).toHaveLength(1);
    expect(checkCitations(withEvidence({ during: during * 3 + 1 }), grounded.results)).toHaveLength(1);
    expect(checkCitations(withEvidence({}), grounded.results)).toEqual([]);
  });

  it('finds results that show nothing', () => {
    const empty = Object.fromEntries(Object.keys(grounded.results).map((id) => [id, {}]));
    expect(checkCitations(grounded.rca, empty)).toHaveLength(cited(grounded.rca).length);
  });
});
