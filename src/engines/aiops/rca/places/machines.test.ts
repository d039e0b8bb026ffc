import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MetricSeries, SpanRecord, Telemetry } from '#spec/data';
import { BASELINE_START, INCIDENT_START, sampleSystem, withSeries } from '#testkit/bundles';
import { diagnose } from '../diagnose.ts';
import { checkCitations } from '../grounding/check-citations.ts';
import { groundEvidence } from '../grounding/ground-evidence.ts';

interface Ill {
  /** How many machines there are; each service has a replica on each. */
  readonly machines?: number;
  /** The services whose replica on the first machine is slow. */
  readonly services: readonly string[];
  readonly label?: (machine: string) => string;
  /** What every replica of every service takes longer. */
  readonly everywhereMs?: number;
  /** How much slower the first machine always was. */
  readonly alwaysMs?: number;
  readonly scale?: number;
}

const ADDED_MS = 400;
const nodeLabel = (machine: string): string => `node="${machine}"`;

/** The sample system, its latency and requests by machine beside the whole. */
function onMachines({
  machines = 3,
  services,
  label = nodeLabel,
  everywhereMs = 0,
  alwaysMs = 0,
  scale = 1,
}: Ill): Telemetry {
  const plain = sampleSystem();
  const wholes = plain.metrics.filter(
    ({ service, metric }) => metric === 'latency_ms_avg' && service !== 'ledger-db',
  );
  const parts = wholes.flatMap((whole) =>
    Array.from({ length: machines }, (_, machine): MetricSeries[] => {
      const isIll = machine === 0 && services.includes(whole.service);
      const base = { service: whole.service, times: whole.times };
      const name = label(`machine-${machine}`);
      return [
        {
          ...base,
          metric: `latency_ms_avg{${name}}`,
          values: whole.values.map((value, at) => {
            const time = whole.times[at] as number;
            const during = time >= INCIDENT_START;
            const wobble = 1 + 0.05 * Math.sin(time * (machine + 1));
            const added = during ? everywhereMs + (isIll ? ADDED_MS : 0) : 0;
            return scale * (value * wobble + added + (machine === 0 ? alwaysMs : 0));
          }),
        },
        { ...base, metric: `requests{${name}}`, values: whole.values.map(() => 600 / machines) },
      ];
    }).flat(),
  );
  const slowed = services.reduce(
    (telemetry, service) =>
      withSeries(telemetry, service, 'latency_ms_avg', (usual, during) =>
        during ? usual + everywhereMs + ADDED_MS / machines : usual,
      ),
    plain,
  );
  return { ...slowed, metrics: [...slowed.metrics, ...parts] };
}

const firstOf = (telemetry: Telemetry) => diagnose(telemetry).hypotheses[0];
const BOTH = ['web', 'orders'];

describe('a machine on which more than one service does worse', () => {
  it('is named, whatever the label is called and however many there are', () => {
    for (const label of [
      nodeLabel,
      (name: string) => `pod="x-${name}",k8s.node.name="${name}"`,
      (name: string) => `instance="${name}:9100"`,
      (name: string) => `host_name="${name}",route="/a"`,
    ])
      for (const machines of [2, 3, 20])
        expect(firstOf(onMachines({ services: BOTH, label, machines }))).toMatchObject({
          service: 'machine-0',
          place: 'machine',
        });
  });

  it('is named in any unit and any order', () => {
    const expected = firstOf(onMachines({ services: BOTH }));
    const seconds = onMachines({ services: BOTH, scale: 0.001 });
    const { metrics } = onMachines({ services: BOTH });
    expect(firstOf(seconds)).toMatchObject({ service: 'machine-0', place: 'machine' });
    fc.assert(
      fc.property(
        fc.shuffledSubarray([...metrics], { minLength: metrics.length, maxLength: metrics.length }),
        (shuffled) => {
          expect(firstOf({ ...onMachines({ services: BOTH }), metrics: shuffled })).toEqual(expected);
        },
      ),
      { numRuns: 5 },
    );
  });

  it('is told with what was compared, and every number of it can be seen', () => {
    const telemetry = onMachines({ services: BOTH });
    const { rca, results } = groundEvidence(diagnose(telemetry), telemetry, []);
    expect(checkCitations({ ...rca, hypotheses: rca.hypotheses.slice(0, 1) }, results)).toEqual([]);
    const told = rca.evidence.map(({ summary }) => summary);
    expect(told.some(({ en }) => /web on machine-0: latency_ms_avg is .*, on other machines/.test(en))).toBe(
      true,
    );
    expect(told.some(({ zh }) => zh?.includes('在其他机器上为'))).toBe(true);
  });
});

describe('a machine that only spans name', () => {
  interface Requests {
    readonly services: readonly string[];
    /** Requests in the last seconds alone are slow, or fail. */
    readonly trouble: 'slow' | 'fails';
    readonly key?: string;
  }
  const served = ({ services, trouble, key = 'k8s.node.name' }: Requests): Telemetry => {
    const spans = ['web', 'orders'].flatMap((service) =>
      [BASELINE_START, INCIDENT_START].flatMap((start, side) =>
        Array.from({ length: 60 }, (_, request): SpanRecord => {
          const machine = `machine-${request % 3}`;
          const isIll = side === 1 && machine === 'machine-0' && request > 24 && services.includes(service);
          return {
            traceId: `${service}-${side}-${request}`,
            spanId: '1',
            service,
            operation: 'serve',
            start: start + request * 5,
            durationMs: 20 + (request % 7) + (isIll && trouble === 'slow' ? 500 : 0),
            ...(isIll && trouble === 'fails' ? { error: true } : {}),
            attributes: { [key]: machine },
          };
        }),
      ),
    );
    const told = services.reduce(
      (telemetry, service) =>
        withSeries(telemetry, service, 'latency_ms_avg', (usual, during) => (during ? usual + 100 : usual)),
      sampleSystem(),
    );
    return { ...told, spans };
  };

  it.each(['slow', 'fails'] as const)('is named where requests of two services are %s on it', (trouble) => {
    const telemetry = served({ services: BOTH, trouble });
    const { rca, results } = groundEvidence(diagnose(telemetry), telemetry, []);
    expect(rca.hypotheses[0]).toMatchObject({ service: 'machine-0', place: 'machine' });
    expect(checkCitations({ ...rca, hypotheses: rca.hypotheses.slice(0, 1) }, results)).toEqual([]);
    expect(firstOf(served({ services: BOTH, trouble, key: 'host.name' }))?.service).toBe('machine-0');
  });

  it('is not named where those of one service are', () => {
    const { hypotheses } = diagnose(served({ services: ['web'], trouble: 'slow' }));
    expect(hypotheses.some(({ place }) => place === 'machine')).toBe(false);
  });
});

describe('a machine that is not to blame', () => {
  const isMachine = (telemetry: Telemetry): boolean =>
    diagnose(telemetry).hypotheses.some(({ place }) => place === 'machine');

  it('has one service alone that does worse on it: that one has a bad replica', () => {
    const one = onMachines({ services: ['orders'] });
    expect(isMachine(one)).toBe(false);
    expect(firstOf(one)?.service).toBe('orders');
  });

  it('has one service alone on it at all', () => {
    const { metrics, ...rest } = onMachines({ services: ['orders'] });
    const alone = metrics.filter(
      ({ service, metric }) => service === 'orders' || !metric.includes('machine-0'),
    );
    expect(isMachine({ ...rest, metrics: alone })).toBe(false);
  });

  it('was always as much slower, also when everything gets slower', () => {
    const old = withSeries(
      onMachines({ services: [], alwaysMs: 60, everywhereMs: 300 }),
      'web',
      'latency_ms_avg',
      (usual, during) => (during ? usual + 300 : usual),
    );
    expect(isMachine(old)).toBe(false);
  });

  it('is as slow as the others', () => {
    const all = withSeries(
      onMachines({ services: [], everywhereMs: 300 }),
      'web',
      'latency_ms_avg',
      (usual, during) => (during ? usual + 300 : usual),
    );
    expect(isMachine(all)).toBe(false);
  });
});
