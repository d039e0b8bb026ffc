import { describe, expect, it } from 'vitest';
import type { Change, Rca, Telemetry } from '#spec/data';
import { callTraces, INCIDENT_START, sampleSystem, withSeries } from '#testkit/bundles';
import { diagnose } from './diagnose.ts';

const iso = (time: number): string => new Date(time * 1000).toISOString();
const minutes = (count: number): string => iso(INCIDENT_START + count * 60);

/** Slower at a service and, by as much, at everything that waits for it. */
function slower(telemetry: Telemetry, services: readonly string[], addedMs: number): Telemetry {
  return services.reduce(
    (changed, service) =>
      withSeries(changed, service, 'latency_ms_avg', (usual, during) => (during ? usual + addedMs : usual)),
    telemetry,
  );
}

function citedIsThere({ hypotheses, evidence }: Rca): boolean {
  const known = new Set(evidence.map(({ id }) => id));
  return hypotheses.every(({ supports, refutes }) => [...supports, ...refutes].every((id) => known.has(id)));
}

describe('a fault in one service', () => {
  it('is found below the callers that wait for it', () => {
    const rca = diagnose(slower(sampleSystem(), ['web', 'orders', 'payments', 'ledger-db'], 300));
    expect(rca.status).toBe('concluded');
    expect(rca.hypotheses[0]?.service).toBe('ledger-db');
    expect(citedIsThere(rca)).toBe(true);
  });

  it('is found where only part of the chain is slow', () => {
    const rca = diagnose(slower(sampleSystem(), ['web', 'orders'], 300));
    expect(rca.hypotheses[0]?.service).toBe('orders');
  });

  it('shows in a processor that is pinned, whatever else got slower', () => {
    const slow = slower(sampleSystem(), ['web', 'catalogue'], 100);
    const pinned = withSeries(slow, 'catalogue', 'cpu', (usual, during) => (during ? 100 : usual));
    const { hypotheses } = diagnose(pinned);
    expect(hypotheses[0]).toMatchObject({ service: 'catalogue', category: 'resource_exhaustion' });
  });

  it('shows in failures where the alert is about failures, and not in a latency beside them', () => {
    const base = sampleSystem({ metric: 'error_rate', title: 'web fails' });
    const added = { web: 0.05, orders: 0.1, payments: 0.1 };
    const failing = Object.entries(added).reduce(
      (telemetry, [service, share]) =>
        withSeries(telemetry, service, 'error_rate', (usual, during) => (during ? usual + share : usual)),
      slower(base, ['catalogue'], 15),
    );
    expect(diagnose(failing).hypotheses[0]?.service).toBe('payments');
  });
});

describe('silence', () => {
  it('is the answer to a quiet hour, with the numbers of the alert', () => {
    const rca = diagnose(sampleSystem());
    expect(rca.status).toBe('no_incident');
    expect(rca.hypotheses[0]?.category).toBe('none');
    expect(rca.evidence[0]?.summary.en).toContain('latency_ms_avg of web');
    expect(citedIsThere(rca)).toBe(true);
  });

  it('holds when more people come and everything works as before', () => {
    const services = ['web', 'orders', 'payments', 'ledger-db', 'catalogue'];
    const busy = services.reduce(
      (telemetry, service) =>
        ['requests', 'cpu'].reduce(
          (changed, metric) =>
            withSeries(changed, service, metric, (usual, during) => (during ? usual * 2 : usual)),
          telemetry,
        ),
      sampleSystem(),
    );
    expect(diagnose(busy).status).toBe('no_incident');
  });

  it('says that it is the traffic where everybody got slower under it', () => {
    const services = ['web', 'orders', 'payments', 'ledger-db', 'catalogue'];
    const busy = services.reduce(
      (telemetry, service) =>
        withSeries(telemetry, service, 'requests', (usual, during) => (during ? usual * 4 : usual)),
      sampleSystem(),
    );
    const { hypotheses } = diagnose(slower(busy, ['web'], 40));
    expect(hypotheses.map(({ category }) => category)).toContain('traffic_surge');
  });

  it('tells what was not there to look at', () => {
    const { missing } = diagnose({ ...sampleSystem(), metrics: [] });
    expect(missing.map(({ en }) => en)).toEqual(expect.arrayContaining(['metrics', 'logs', 'traces']));
  });
});

describe('traces and logs', () => {
  it('find a delay that is only between parent and child', () => {
    const traces = callTraces({ calls: 40, delayMs: (during) => (during ? 800 : 2) });
    const { metric: _, service: __, ...bundle } = sampleSystem().bundle;
    const { hypotheses } = diagnose({ bundle, metrics: [], ...traces });
    expect(hypotheses[0]).toMatchObject({ service: 'payments', category: 'network_delay' });
    expect(hypotheses[0]?.why.en).toContain('from orders to payments');
  });

  it('find a crash loop in what a service writes', () => {
    const restarts = withSeries(sampleSystem(), 'payments', 'pod_restarts_total', (_usual, during, time) =>
      during ? Math.floor((time - INCIDENT_START) / 120) + 1 : 0,
    );
    const logs = Array.from({ length: 30 }, (_, index) => ({
      time: INCIDENT_START + 60 + index * 20,
      service: 'payments',
      level: 'FATAL',
      message: 'panic: cannot read configuration, exiting',
    }));
    const { hypotheses } = diagnose(slower({ ...restarts, logs }, ['web'], 60));
    expect(hypotheses[0]).toMatchObject({ service: 'payments', category: 'crash_loop' });
  });

  it('find the statement that calls no longer reach', () => {
    const done = { level: 'INFO', message: 'Charge.java:40 charged' };
    const begun = { level: 'INFO', message: 'Charge.java:12 charging' };
    const { spans, logs } = callTraces({ calls: 30, says: (during) => (during ? [begun] : [begun, done]) });
    const { metric: _, service: __, ...bundle } = sampleSystem().bundle;
    const { hypotheses } = diagnose({ bundle, metrics: [], spans, logs });
    expect(hypotheses[0]?.service).toBe('payments');
    expect(hypotheses[0]?.why.en).toContain('no longer says "Charge.java:40');
  });
});

describe('changes', () => {
  const culprit: Change = {
    id: '1111111aaaa',
    kind: 'commit',
    time: minutes(-8),
    summary: 'tune ledger pool',
    details: {
      files: ['services/payments/pool.go'],
      diff: '@@ pool.go\n-\tcfg.MaxConns = 50\n+\tcfg.MaxConns = 5',
    },
  };
  const deploy: Change = {
    id: 'deploy-1',
    kind: 'deploy',
    service: 'payments',
    time: minutes(-1),
    summary: 'payments v2',
    details: { commit: '1111111aaaa', version: 'v2' },
  };
  const decoys: Change[] = [
    {
      id: 'late',
      kind: 'deploy',
      service: 'payments',
      time: minutes(9),
      summary: 'payments v3',
      details: { version: 'v3' },
    },
    { id: 'elsewhere', kind: 'deploy', service: 'mail', time: minutes(-2), summary: 'mail v9' },
    {
      id: '2222222bbbb',
      kind: 'commit',
      time: minutes(-3),
      summary: 'docs: explain the connection pool',
      details: { files: ['docs/pool.md'], diff: '+pool exhausted means MaxConns is too low' },
    },
  ];
  const failing = (): Telemetry => {
    const base = sampleSystem({
      service: 'payments',
      metric: 'latency_ms_avg',
      title: 'payments is slow: connection pool exhausted',
    });
    const logs = Array.from({ length: 40 }, (_, index) => ({
      time: INCIDENT_START + 30 + index * 15,
      service: 'payments',
      level: 'ERROR',
      message: 'pool exhausted: deadline exceeded acquiring connection',
    }));
    return slower({ ...base, logs }, ['web', 'orders', 'payments'], 500);
  };

  it('that fit by time, place and content are blamed, and not undone for their words', () => {
    const rca = diagnose({ ...failing(), changes: [culprit, deploy, ...decoys] });
    expect(rca.hypotheses[0]).toMatchObject({ change: '1111111aaaa', service: 'payments' });
    expect(rca.hypotheses[0]?.undo).toBeUndefined();
    expect(citedIsThere(rca)).toBe(true);
  });

  it('cite no flicker that reads the same before and since', () => {
    const flicker = (_: number, during: boolean, time: number) =>
      during && time < INCIDENT_START + 150 ? 3 : 0;
    const telemetry = withSeries(failing(), 'payments', 'waiting_connections', flicker);
    const { evidence } = diagnose({ ...telemetry, changes: [culprit, deploy] });
    expect(evidence.some(({ summary }) => summary.en.includes('left its range'))).toBe(true);
    expect(evidence.filter(({ summary }) => summary.en.includes('0 before, 0 since'))).toEqual([]);
  });

  it('that came later, elsewhere or in documents only are not', () => {
    const { hypotheses } = diagnose({ ...failing(), changes: decoys });
    expect(hypotheses.filter(({ undo }) => undo)).toEqual([]);
    expect(hypotheses[0]?.change).toBeUndefined();
    const late = hypotheses.find(({ why }) => why.en.includes('deploy late'));
    expect(late?.refutes).toHaveLength(1);
  });

  it('are not blamed for a certificate that ran out', () => {
    const telemetry = failing();
    const logs = telemetry.logs.map((line) => ({
      ...line,
      message: 'x509: certificate has expired or is not yet valid',
    }));
    const { hypotheses } = diagnose({ ...telemetry, logs, changes: [culprit, deploy] });
    expect(hypotheses[0]?.category).toBe('certificate');
    expect(hypotheses[0]?.change).toBeUndefined();
  });

  it('are tied to a version that does worse than the others', () => {
    let telemetry = failing();
    for (const [version, factor] of [
      ['v1', 1],
      ['v2', 8],
    ] as const) {
      telemetry = withSeries(telemetry, 'payments', `latency_ms_p90@${version}`, (_usual, during) =>
        during ? 60 * factor : 60,
      );
    }
    const release: Change = {
      id: 'r2',
      kind: 'release',
      service: 'payments',
      time: minutes(-1),
      summary: 'payments',
      details: { version: 'v2' },
    };
    const { hypotheses } = diagnose({ ...telemetry, changes: [release, ...decoys] });
    expect(hypotheses[0]).toMatchObject({ change: 'r2', undo: true });
    expect(hypotheses[0]?.why.en).toContain('version v2 does worse');
  });
});

it('does not take seeing nothing for nothing', () => {
  const rca = diagnose({ ...sampleSystem(), metrics: [], logs: [], spans: [] });
  expect(rca).toMatchObject({ status: 'inconclusive', hypotheses: [] });
  expect(rca.missing.length).toBeGreaterThan(0);
});
