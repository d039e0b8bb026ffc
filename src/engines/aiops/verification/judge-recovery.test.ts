import { asText } from '#kit/text';
import { describe, expect, it } from 'vitest';
import type { LogLine, MetricSeries, ProposedAction, Recovery, SpanRecord, Telemetry } from '#spec/data';
import { judgeRecovery, type RecoveryInput } from './judge-recovery.ts';
import { stable } from './stable.ts';

const USUAL = 1_000_000;
const START = USUAL + 600;
const ENDED = START + 300;
const AT = ENDED + 120;
const iso = (time: number): string => new Date(time * 1000).toISOString();

const ACTION: ProposedAction = {
  id: 'act_1',
  operation: 'rollback_canary',
  service: 'payment-service',
  params: { from: 'v2.3.1', to: 'v2.3.0' },
  risk: 'destructive',
  reason: asText('x'),
  evidence: [],
  confirmTwice: false,
  separateApprover: false,
  rules: [],
};

/** A value for each part of the story: usually, in the incident, and after the action; undefined leaves it out. */
type Levels = readonly [number | undefined, number | undefined, number | undefined];

const wobble = (time: number): number => 1 + 0.04 * Math.sin(time);

function series(service: string, metric: string, levels: Levels, part: 'during' | 'after'): MetricSeries[] {
  const times: number[] = [];
  const values: number[] = [];
  const [from, to] = part === 'during' ? [USUAL, ENDED] : [ENDED, AT];
  for (let time = from; time <= to; time += 10) {
    // The fault begins a minute into the incident window.
    const level = part === 'after' ? levels[2] : time < START + 60 ? levels[0] : levels[1];
    if (level === undefined) continue;
    times.push(time);
    values.push(level * wobble(time));
  }
  return times.length ? [{ service, metric, times, values }] : [];
}

interface Story {
  readonly metrics: Readonly<Record<string, Levels>>;
  readonly service?: string;
  readonly alert?: { readonly service: string; readonly metric: string };
  readonly logs?: readonly LogLine[];
  readonly spans?: readonly SpanRecord[];
}

function telemetry(
  { metrics, service = 'payment-service', alert, logs = [], spans = [] }: Story,
  part: 'during' | 'after',
): Telemetry {
  const isPart = (time: number): boolean => (part === 'after') === time > ENDED;
  return {
    bundle: {
      id: 'inc_1',
      title: 't',
      severity: 'P1',
      startsAt: iso(START + 70),
      service: alert?.service ?? service,
      metric: alert?.metric ?? 'error_ratio',
      labels: {},
      annotations: {},
      baseline: { start: iso(USUAL), end: iso(START - 1) },
      incident: { start: iso(START), end: iso(ENDED) },
    },
    metrics: Object.entries(metrics).flatMap(([name, levels]) => {
      const [metric = name, at = service] = name.split(' ');
      return series(at, metric, levels, part);
    }),
    logs: logs.filter(({ time }) => isPart(time)),
    spans: spans.filter(({ start }) => isPart(start)),
  };
}

const judge = (story: Story, parts: Partial<RecoveryInput> = {}): Recovery =>
  judgeRecovery({
    action: ACTION,
    execution: { endedAt: ENDED * 1000 },
    during: telemetry(story, 'during'),
    after: telemetry(story, 'after'),
    window: { start: iso(ENDED), end: iso(AT) },
    at: AT * 1000,
    ...parts,
  });
const of = ({ checks }: Recovery, dimension: string) => checks.find((check) => check.dimension === dimension);

const WELL = {
  error_ratio: [0.002, 0.18, 0.006],
  latency_p95_ms: [120, 2400, 180],
  requests_per_second: [15, 15, 14],
} as const satisfies Record<string, Levels>;

describe('the numbers of the seed', () => {
  it('are a recovery: 18 % → 0.6 %, 2.4 s → 180 ms', () => {
    const recovery = judge({ metrics: WELL }, { target: { wanted: 'v2.3.0', found: 'v2.3.0' } });
    expect(recovery.status).toBe('recovered');
    expect(recovery.checks).toHaveLength(6);
    const errors = of(recovery, 'errors');
    expect(errors).toMatchObject({ ok: true, unit: '%', query: 'error_ratio{service="payment-service"}' });
    expect(errors?.usual).toBeCloseTo(0.2, 1);
    expect(errors?.during).toBeCloseTo(18, -0.5);
    expect(errors?.after).toBeCloseTo(0.6, 1);
    expect(of(recovery, 'latency')).toMatchObject({ ok: true, unit: 'ms' });
    expect(of(recovery, 'deploy_state')).toMatchObject({
      ok: true,
      summary: { en: 'payment-service is at v2.3.0, as wanted' },
    });
    expect(of(recovery, 'error_logs')).not.toHaveProperty('ok');
    expect(recovery.window).toEqual({ start: iso(ENDED), end: iso(AT) });
  });

  it('are taken from the newer half of the time since the action, where nobody says otherwise', () => {
    const settling: Story = { metrics: WELL };
    const after = telemetry(settling, 'after');
    const slow = after.metrics.map((one) => ({
      ...one,
      values: one.values.map((value, at) =>
        one.metric === 'error_ratio' && (one.times[at] ?? 0) < ENDED + 55 ? 0.18 : value,
      ),
    }));
    const input = {
      action: ACTION,
      execution: { endedAt: ENDED * 1000 },
      during: telemetry(settling, 'during'),
    };
    const recovery = judgeRecovery({ ...input, after: { ...after, metrics: slow }, at: AT * 1000 });
    expect([recovery.status, recovery.window.start]).toEqual(['recovered', iso(ENDED + 60)]);
  });

  it('speak Chinese', () => {
    expect(of(judge({ metrics: WELL }), 'error_logs')?.summary.zh).toBe('错误日志:没有可用数据');
  });
});

describe('no recovery', () => {
  it.each([
    ['errors only halve', { ...WELL, error_ratio: [0.002, 0.18, 0.09] }, 'errors'],
    ['errors are most of the way back and still many', { ...WELL, error_ratio: [0.002, 0.9, 0.1] }, 'errors'],
    ['latency stays', { ...WELL, latency_p95_ms: [120, 2400, 2300] }, 'latency'],
    ['latency was fine and is not any more', { ...WELL, latency_p95_ms: [120, 121, 900] }, 'latency'],
    ['another error comes', { ...WELL, errors_500_per_second: [0, 0, 4] }, 'errors'],
    [
      'traffic vanishes',
      { ...WELL, error_ratio: [0.002, 0.18, 0], requests_per_second: [15, 15, 3] },
      'traffic',
    ],
  ] as const)('%s', (_, metrics, dimension) => {
    const recovery = judge({ metrics });
    expect(recovery.status).toBe('not_recovered');
    expect(recovery.checks.filter(({ ok }) => ok === false).map((check) => check.dimension)).toEqual([
      dimension,
    ]);
  });

  it('says why no traffic is no good news', () => {
    const recovery = judge({ metrics: { ...WELL, requests_per_second: [15, 15, 0] } });
    expect(of(recovery, 'traffic')?.summary.en).toContain('nothing fails where nothing is asked');
  });

  it('the wrong version, or the bad one that still has traffic', () => {
    expect(judge({ metrics: WELL }, { target: { wanted: 'v2.3.0', found: 'v2.3.1' } }).status).toBe(
      'not_recovered',
    );
    const versions = (bad: number) =>
      ({
        ...WELL,
        'requests_per_second@v2.3.1': [0, 7, bad],
        'requests_per_second@v2.3.0': [15, 8, 14],
      }) satisfies Record<string, Levels>;
    expect(of(judge({ metrics: versions(7) }), 'deploy_state')?.ok).toBe(false);
    expect(of(judge({ metrics: versions(0) }), 'deploy_state')?.ok).toBe(true);
    expect(of(judge({ metrics: WELL }), 'deploy_state')).not.toHaveProperty('ok');
  });

  it('the caller that the alert names is still ill', () => {
    const recovery = judge({
      metrics: { ...WELL, 'error_ratio web': [0.001, 0.1, 0.1] },
      alert: { service: 'web', metric: 'error_ratio' },
    });
    expect(recovery.status).toBe('not_recovered');
  });
});

describe('what is not known', () => {
  it('is not called good', () => {
    expect(judge({ metrics: {} }).status).toBe('uncertain');
    // One good dimension is too little.
    expect(judge({ metrics: { error_ratio: [0.002, 0.18, 0.002] } }).status).toBe('uncertain');
    // Traffic and logs are well, and nobody can tell about the errors.
    const blind = judge({ metrics: { ...WELL, error_ratio: [0.002, 0.18, undefined] } });
    expect([blind.status, of(blind, 'errors')?.ok]).toEqual(['uncertain', undefined]);
  });

  it('is a zero where failures are counted by code and there are none', () => {
    const counted = { ...WELL, error_ratio: [undefined, undefined, undefined] as const };
    const recovery = judge({ metrics: { ...counted, errors_503_per_second: [undefined, 3, undefined] } });
    expect(recovery.status).toBe('recovered');
    expect(of(recovery, 'errors')).toMatchObject({ usual: 0, after: 0, ok: true });
  });

  it('is measured against a guarded scale', () => {
    const recovery = judge({
      metrics: { ...WELL, error_ratio: [0, 0.18, 0.004], latency_p95_ms: [0.4, 0.4, 3] },
    });
    expect(recovery.status).toBe('recovered');
  });
});

describe('logs and traces', () => {
  const line = (time: number, message: string, level = 'error'): LogLine => ({
    time,
    service: 'payment-service',
    level,
    message,
  });
  const burst = Array.from({ length: 100 }, (_, at) =>
    line(START + 60 + at, `connection pool exhausted ${at}`),
  );
  const quiet = line(ENDED + 5, 'paid', 'info');

  it('must have stopped', () => {
    const still = Array.from({ length: 40 }, (_, at) =>
      line(ENDED + 10 + at, `connection pool exhausted ${at}`),
    );
    const bad = judge({ metrics: WELL, logs: [...burst, ...still] });
    expect(of(bad, 'error_logs')).toMatchObject({ ok: false, unit: '/min', after: 20 });
    expect(bad.status).toBe('not_recovered');
    expect(of(judge({ metrics: WELL, logs: [...burst, quiet] }), 'error_logs')?.ok).toBe(true);
  });

  it('tell nothing by silence, unless they were asked', () => {
    expect(of(judge({ metrics: WELL, logs: burst }), 'error_logs')).not.toHaveProperty('ok');
    expect(of(judge({ metrics: WELL, logs: burst }, { logsAnswered: true }), 'error_logs')?.ok).toBe(true);
  });

  it('count spans that failed', () => {
    const span = (start: number, error: boolean): SpanRecord => ({
      traceId: `t${start}`,
      spanId: 's',
      service: 'payment-service',
      operation: 'pay',
      start,
      durationMs: 5,
      error,
    });
    const spans = (after: (at: number) => boolean): SpanRecord[] => [
      ...Array.from({ length: 50 }, (_, at) => span(USUAL + at, false)),
      ...Array.from({ length: 50 }, (_, at) => span(START + 60 + at, at % 2 === 0)),
      ...Array.from({ length: 50 }, (_, at) => span(ENDED + 1 + at, after(at))),
    ];
    expect(of(judge({ metrics: WELL, spans: spans(() => false) }), 'trace_errors')).toMatchObject({
      ok: true,
      during: 50,
      after: 0,
    });
    expect(of(judge({ metrics: WELL, spans: spans((at) => at % 4 === 0) }), 'trace_errors')?.ok).toBe(false);
    expect(
      of(judge({ metrics: WELL, spans: spans(() => false).slice(-3) }), 'trace_errors'),
    ).not.toHaveProperty('ok');
  });
});

describe('other actions', () => {
  it('do not look at what was degraded: it is asked no more', () => {
    const degrade: ProposedAction = {
      ...ACTION,
      operation: 'degrade_dependency',
      params: { dependency: 'coupon-service' },
    };
    const story: Story = {
      metrics: {
        ...WELL,
        'error_ratio coupon-service': [0, 0.9, 0.9],
        'requests_per_second coupon-service': [9, 9, 0],
      },
      alert: { service: 'coupon-service', metric: 'error_ratio' },
    };
    expect(judge(story, { action: degrade }).status).toBe('recovered');
    expect(judge(story).status).toBe('not_recovered');
  });

  it('look at what the alert measures, where that is something else', () => {
    const leak = (after: number): Recovery =>
      judge({
        metrics: {
          error_ratio: [0.001, 0.001, 0.001],
          requests_per_second: [15, 15, 15],
          memory_bytes: [100e6, 300e6, after],
        },
        alert: { service: 'payment-service', metric: 'memory_bytes' },
      });
    expect([leak(104e6).status, leak(290e6).status]).toEqual(['recovered', 'not_recovered']);
    expect(of(leak(290e6), 'symptom')).toMatchObject({ ok: false });
  });

  it('see something come up again where less of it is bad', () => {
    const ready = (after: number) =>
      of(
        judge({
          metrics: { ...WELL, hit_ratio: [0.9, 0.2, after] },
          alert: { service: 'payment-service', metric: 'hit_ratio' },
        }),
        'symptom',
      );
    expect([ready(0.88)?.ok, ready(0.3)?.ok]).toEqual([true, false]);
    expect(ready(0.88)?.after).toBeCloseTo(0.88, 1);
  });
});

describe('stable', () => {
  const recovery = (status: Recovery['status']): Recovery => ({
    status,
    checks: [],
    window: { start: iso(0), end: iso(1) },
    at: 1,
  });
  it('wants the newest checks good, in a row', () => {
    const [good, bad, open] = [recovery('recovered'), recovery('not_recovered'), recovery('uncertain')];
    expect(stable([good, good, good])).toBe(true);
    expect(stable([bad, good, good, good])).toBe(true);
    expect(stable([good, good])).toBe(false);
    expect(stable([good, bad, good, good])).toBe(false);
    expect(stable([good, good, open])).toBe(false);
    expect(stable([bad, good], 1)).toBe(true);
    expect(stable([], 0)).toBe(false);
  });
});
