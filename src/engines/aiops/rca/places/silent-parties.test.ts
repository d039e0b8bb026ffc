import { describe, expect, it } from 'vitest';
import type { Change, LogLine, SpanRecord, Telemetry } from '#spec/data';
import { BASELINE_START, INCIDENT_START, sampleSystem, withSeries } from '#testkit/bundles';
import { diagnose } from '../diagnose.ts';
import { checkCitations } from '../grounding/check-citations.ts';
import { groundEvidence } from '../grounding/ground-evidence.ts';

interface Calls {
  readonly attributes?: Record<string, unknown>;
  readonly failsBefore?: boolean;
  readonly fails?: boolean;
  /** What a call takes before and during. */
  readonly ms?: readonly [number, number];
  readonly said?: string;
  readonly status?: number;
}

const VENDOR = { 'span.kind': 'client', 'server.address': 'api.bank.example' };
const CALLS = 30;
/** Half of what web is asked for needs a payment. */
const FAILED: Readonly<Record<string, number>> = { payments: 0.9, orders: 0.9, web: 0.45 };

/** Payments asks somebody who sends no spans once for each of its requests, and fails where that fails. */
function calling({
  attributes = VENDOR,
  failsBefore = false,
  fails = true,
  ms = [20, 20],
  said,
  status = 503,
}: Calls): Telemetry {
  const [before, during] = ms;
  const spans = [BASELINE_START, INCIDENT_START].flatMap((start, side) =>
    Array.from({ length: CALLS }, (_, call): SpanRecord[] => {
      const failed = side ? fails : failsBefore;
      const took = (side ? during : before) + (call % 5);
      const at = start + 30 + call * 20;
      const trace = { traceId: `${side}-${call}`, service: 'payments', start: at };
      const outcome = failed ? { error: true, status } : { status: 200 };
      return [
        { ...trace, spanId: '1', operation: 'POST /pay', durationMs: 30 + took, ...outcome },
        {
          ...trace,
          spanId: '2',
          parentId: '1',
          operation: 'POST /charge',
          durationMs: took,
          ...(failed ? { error: true, ...(said === undefined ? { status } : {}) } : { status: 200 }),
          attributes: { ...attributes, ...(failed && said !== undefined ? { 'status.message': said } : {}) },
        },
      ];
    }).flat(),
  );
  const suffering = ['payments', 'orders', 'web'].reduce(
    (telemetry, service) =>
      withSeries(telemetry, service, 'error_rate', (usual, isDuring) =>
        isDuring && fails && !failsBefore ? (FAILED[service] ?? usual) : usual,
      ),
    sampleSystem({ metric: 'error_rate', title: 'web fails' }),
  );
  return { ...suffering, spans };
}

const firstOf = (telemetry: Telemetry) => diagnose(telemetry).hypotheses[0];

describe('somebody outside who begins to fail', () => {
  it.each([
    ['server.address', 'api.bank.example'],
    ['peer.service', 'acquirer'],
    ['net.peer.name', 'pay.other.example'],
  ])('is named by %s, and as nobody of ours', (key, name) => {
    const telemetry = calling({ attributes: { 'span.kind': 'client', [key]: name } });
    expect(firstOf(telemetry)).toMatchObject({ service: name, category: 'external', place: 'outside' });
  });

  it('is named where only its callers’ metrics know of it', () => {
    const { spans: _, ...telemetry } = calling({});
    const counted = (['requests', 'errors'] as const).reduce(
      (given, what) =>
        withSeries(given, 'payments', `${what}_to_bank`, (_usual, during) =>
          what === 'requests' ? 300 : during ? 270 : 0,
        ),
      { ...telemetry, spans: [] } as Telemetry,
    );
    expect(firstOf(counted)).toMatchObject({ service: 'bank', category: 'external', place: 'outside' });
  });

  it('is told by counts of the calls that went well, too', () => {
    const telemetry = calling({});
    const { rca, results } = groundEvidence(diagnose(telemetry), telemetry, []);
    expect(rca.evidence.map(({ summary }) => summary.en)).toContain(
      '30 of 30 calls fail first in api.bank.example (100 %, before 0 %)',
    );
    expect(checkCitations({ ...rca, hypotheses: rca.hypotheses.slice(0, 1) }, results)).toEqual([]);
  });

  it('is told by its callers’ complaints of it', () => {
    const line = (time: number, level: string, message: string): LogLine => ({
      time,
      service: 'payments',
      level,
      message,
    });
    const logs = Array.from({ length: CALLS }, (_, at) => [
      line(BASELINE_START + at * 20, 'info', 'charged'),
      line(INCIDENT_START + at * 20, 'info', 'asked'),
      line(INCIDENT_START + at * 20, 'error', `api.bank.example answered 503 to ${at}`),
    ]).flat();
    const { hypotheses, evidence } = diagnose({ ...calling({}), logs });
    const complaint = evidence.find(({ kind }) => kind === 'log');
    expect(hypotheses[0]).toMatchObject({ service: 'api.bank.example' });
    expect(hypotheses[0]?.supports).toContain(complaint?.id);
  });

  it('is slow for its callers, who say so in both languages', () => {
    const slow = calling({ fails: false, ms: [20, 900] });
    const telemetry = withSeries(slow, 'payments', 'latency_ms_avg', (usual, during) =>
      during ? usual + 880 : usual,
    );
    const { hypotheses, evidence } = diagnose(telemetry);
    expect(hypotheses[0]).toMatchObject({ service: 'api.bank.example', category: 'external' });
    const told = evidence.find(({ summary }) =>
      summary.en.startsWith('calls from payments to api.bank.example take'),
    );
    expect(told?.summary.zh).toContain('的调用耗时');
  });

  it('is one of ours where we release it', () => {
    const change: Change = {
      id: 'old',
      kind: 'deploy',
      service: 'api.bank.example',
      time: new Date((BASELINE_START - 86_400) * 1000).toISOString(),
      summary: 'v1',
    };
    const [first] = diagnose({ ...calling({}), changes: [change] }).hypotheses;
    expect(first?.place).toBeUndefined();
  });
});

describe('somebody outside who is not to blame', () => {
  const blamed = (telemetry: Telemetry): string | undefined => firstOf(telemetry)?.service;

  it('always failed as often', () => {
    const always = withSeries(
      calling({ failsBefore: true }),
      'payments',
      'latency_ms_avg',
      (usual, during) => (during ? usual + 500 : usual),
    );
    expect(blamed(always)).not.toBe('api.bank.example');
  });

  it('was given up by a caller that waits for less than it used to take', () => {
    const impatient = calling({ ms: [400, 20], said: 'timed out after 20 ms' });
    expect(blamed(impatient)).toBe('payments');
    const patient = calling({ ms: [20, 1000], said: 'timed out after 1000 ms' });
    expect(blamed(patient)).toBe('api.bank.example');
  });

  it('was asked for the wrong thing', () => {
    expect(blamed(calling({ status: 400 }))).not.toBe('api.bank.example');
  });

  it('is a database, which is a matter of the service that asks it', () => {
    const attributes = {
      'span.kind': 'client',
      'server.address': 'ledger.example',
      'db.system.name': 'postgresql',
    };
    expect(blamed(calling({ attributes, fails: false, ms: [20, 900] }))).not.toBe('ledger.example');
  });

  it('is as slow as everything else that its caller calls', () => {
    const slow = calling({ fails: false, ms: [20, 220] });
    const others = [BASELINE_START, INCIDENT_START].flatMap((start, side) =>
      ['x', 'y', 'z'].flatMap((other) =>
        Array.from({ length: CALLS }, (_, call): SpanRecord[] => {
          const trace = {
            traceId: `${other}-${side}-${call}`,
            start: start + 31 + call * 20,
            operation: 'ask',
          };
          const wire = (side ? 202 : 2) + (call % 3);
          return [
            {
              ...trace,
              spanId: '1',
              service: 'payments',
              durationMs: 20 + wire,
              attributes: { 'span.kind': 'client' },
            },
            { ...trace, spanId: '2', parentId: '1', service: other, durationMs: 20 },
          ];
        }).flat(),
      ),
    );
    const telemetry = withSeries(
      { ...slow, spans: [...slow.spans, ...others] },
      'payments',
      'latency_ms_avg',
      (usual, during) => (during ? usual + 800 : usual),
    );
    expect(blamed(telemetry)).toBe('payments');
  });
});
