import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Change, LogLine, MetricSeries, Telemetry } from '#spec/data';
import { diagnose } from '#engines/aiops';
import { seeded, shuffled } from '../../learning/seeded.ts';
import { saidBy } from './run-transforms.ts';
import type { LabelledCase } from './transform.ts';
import { TRANSFORMS } from './transforms.ts';

const START = Date.parse('2026-03-01T10:00:00Z') / 1000;
const STEP_S = 60;
const QUIET = 60;
const BAD = 15;
const NAMES = ['web', 'cart', 'orders', 'payments', 'catalogue', 'mailer'] as const;
const FAULTS = ['latency', 'failures', 'cpu', 'release', 'nothing'] as const;

const iso = (sample: number): string => new Date((START + sample * STEP_S) * 1000).toISOString();

/** What is measured besides services as wholes: single calls, and the two versions of a release. */
interface Measured {
  readonly edges?: boolean;
  readonly versions?: boolean;
}

/**
 * A small incident, the same for the same seed: a tree of services in which one becomes slow, fails, burns its processor or
 * breaks by a release, or nothing happens. Its callers suffer with it. Failures are told in one of two forms.
 */
function generatedCase(seed: number, { edges = false, versions = false }: Measured = {}): LabelledCase {
  const random = seeded(`case ${seed}`);
  const names = shuffled(NAMES, random).slice(0, 3 + Math.floor(random() * 4));
  const callers = names.map((_, index) => (index ? Math.floor(random() * index) : -1));
  const fault = FAULTS[Math.floor(random() * FAULTS.length)] ?? 'nothing';
  const culprit = Math.floor(random() * names.length);
  const suffering = chain(culprit, callers);
  const failureForm = random() < 0.5 ? 'error_rate' : 'availability_pct';
  const size = 0.5 + random();
  const series = (service: number, metric: string, level: number, added: number): MetricSeries => ({
    service: names[service] ?? '',
    metric,
    times: Array.from({ length: QUIET + BAD }, (_, sample) => START + sample * STEP_S),
    values: Array.from(
      { length: QUIET + BAD },
      (_, sample) => level * (0.95 + 0.1 * random()) + (sample >= QUIET ? added : 0),
    ),
  });
  const metrics = names.flatMap((_, at): MetricSeries[] => {
    const hit = suffering.includes(at);
    const slow = hit && (fault === 'latency' || fault === 'release') ? 300 * size : 0;
    const failing = hit && (fault === 'failures' || fault === 'release') ? 0.3 * size : 0;
    const failures = (service: number, tail: string, share: number): MetricSeries =>
      inForm(series(service, `error_rate${tail}`, 0.004, share), failureForm);
    const caller = callers[at] ?? -1;
    const calls =
      edges && caller >= 0
        ? [
            series(caller, `latency_ms_avg_to_${names[at]}`, 50 + 20 * at, slow),
            failures(caller, `_to_${names[at]}`, failing),
          ]
        : [];
    const released =
      versions && fault === 'release' && at === culprit
        ? [failures(at, '@v1', 0), failures(at, '@v2', failing), series(at, 'memory@v1', 400, 0)]
        : [];
    const busy = at === culprit && fault === 'cpu' ? 80 * size : 0;
    return [
      series(at, 'requests', 300 + 100 * at, 0),
      series(at, 'latency_ms_avg', 40 + 20 * at, slow),
      series(at, 'latency_ms_p99', 160 + 80 * at, slow * 2),
      failures(at, '', failing),
      series(at, 'cpu', 20, busy),
      series(at, 'memory', 400, 0),
      ...calls,
      ...released,
    ];
  });
  const release: Change = {
    id: 'release-1',
    kind: 'deploy',
    service: names[culprit] ?? '',
    time: iso(QUIET - 1),
    summary: `${names[culprit]}: read the voucher before the basket`,
    details: { from: 'v1', to: 'v2', diff: '-\tbasket := read(id)\n+\tvoucher := must(read(id))' },
  };
  const other: Change = {
    id: 'flag-1',
    kind: 'flag',
    service: names[0] ?? '',
    time: iso(QUIET - 20),
    summary: 'banner off->on',
  };
  const complaints = Array.from(
    { length: BAD },
    (_, sample): LogLine => ({
      time: START + (QUIET + sample) * STEP_S,
      service: names[culprit] ?? '',
      level: 'error',
      message: `${names[culprit]}: voucher ${sample} could not be read`,
    }),
  );
  const chatter = names.flatMap((service) =>
    Array.from(
      { length: QUIET + BAD },
      (_, sample): LogLine => ({
        time: START + sample * STEP_S,
        service,
        level: 'info',
        message: `${service} served ${sample}`,
      }),
    ),
  );
  const telemetry: Telemetry = {
    bundle: {
      id: `generated-${seed}`,
      title: `${names[0]} is degraded`,
      severity: 'critical',
      startsAt: iso(QUIET + 2),
      service: names[0],
      metric: fault === 'failures' ? failureForm : 'latency_ms_avg',
      labels: {},
      annotations: {},
      baseline: { start: iso(0), end: iso(QUIET - 1) },
      incident: { start: iso(QUIET), end: iso(QUIET + BAD - 1) },
    },
    metrics,
    logs: fault === 'release' ? [...chatter, ...complaints] : chatter,
    spans: [],
    ...(fault === 'release' || random() < 0.5
      ? { changes: fault === 'release' ? [release, other] : [other] }
      : {}),
    topology: {
      edges: callers.flatMap((caller, at) =>
        caller < 0 ? [] : [{ from: names[caller] ?? '', to: names[at] ?? '' }],
      ),
    },
  };
  const place = names[culprit] ?? '';
  const cause = fault === 'nothing' ? 'none' : fault === 'release' ? release.id : place;
  return { telemetry, cause, asked: fault === 'release' ? 'change' : 'service' };
}

function inForm(failures: MetricSeries, form: 'error_rate' | 'availability_pct'): MetricSeries {
  if (form === 'error_rate') return failures;
  const metric = failures.metric.replace('error_rate', form);
  return { ...failures, metric, values: failures.values.map((value) => 100 - value * 100) };
}

/** A service and those who wait for it, up to the first. */
const chain = (from: number, callers: readonly number[]): number[] =>
  from < 0 ? [] : [from, ...chain(callers[from] ?? -1, callers)];

const SERVICES: Measured = {};
const EVERYTHING: Measured = { edges: true, versions: true };

describe('the answer is the same', () => {
  it.each([
    ['time-in-seconds', EVERYTHING],
    ['time-in-minutes', EVERYTHING],
    ['other-units', EVERYTHING],
    ['random-service-names', EVERYTHING],
    ['shuffled', EVERYTHING],
    ['availability-to-errors', SERVICES],
    ['errors-to-availability', SERVICES],
  ])('for %s', (name, measured) => {
    const transform = TRANSFORMS.get(name);
    expect(transform?.leaves).toBe('answer');
    let transformed = 0;
    fc.assert(
      fc.property(fc.nat(10_000), (seed) => {
        const given = generatedCase(seed, measured);
        const changed = transform?.apply(given, seeded(`${name} ${seed}`));
        if (!changed) return;
        transformed += 1;
        expect(saidBy(diagnose(changed.telemetry), changed.recorded)).toEqual(
          saidBy(diagnose(given.telemetry)),
        );
      }),
      { numRuns: 30, seed: 14 },
    );
    expect(transformed).toBeGreaterThan(8);
  });
});

it('generates incidents whose cause is found, so that an answer is there to be kept', () => {
  const seeds = Array.from({ length: 30 }, (_, seed) => generatedCase(seed));
  const found = seeds.filter(({ telemetry, cause, asked }) => {
    const { status, hypotheses } = diagnose(telemetry);
    return status === 'no_incident' ? cause === 'none' : hypotheses[0]?.[asked] === cause;
  });
  expect(found.length).toBeGreaterThan(20);
});
