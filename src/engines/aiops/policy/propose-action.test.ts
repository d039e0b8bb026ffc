import { asText } from '#kit/text';
import { describe, expect, it } from 'vitest';
import { CAUSE_CATEGORIES, type Change, type Hypothesis, OPERATIONS, type Rca } from '#spec/data';
import {
  metricEvidence,
  SAMPLE_EXECUTION,
  sampleIncident,
  sampleRca,
} from '#support/engines/aiops/sample-case';
import { type ProposalInput, proposeAction } from './propose-action.ts';

const DEPLOY: Change = {
  id: 'dep-17',
  kind: 'deploy',
  service: 'payment-service',
  time: '2026-03-01T11:54:00Z',
  summary: 'payment-service v2.3.1 canary',
  details: { from: 'v2.3.0', to: 'v2.3.1' },
};

const propose = (rca: Rca, parts: Partial<ProposalInput> = {}) =>
  proposeAction({
    incident: sampleIncident(),
    rca,
    changes: [DEPLOY],
    rules: [],
    operations: OPERATIONS,
    now: Date.parse('2026-03-01T12:10:00Z'),
    zone: 'UTC',
    ...parts,
  });
const first = (
  hypothesis: Partial<Hypothesis> & Pick<Hypothesis, 'category'>,
  parts: Partial<ProposalInput> = {},
) => propose(sampleRca(hypothesis), parts).action;

describe('a change that may be undone', () => {
  it('is rolled back to the version before', () => {
    const { action, why } = propose(sampleRca({ category: 'connection_pool', change: 'dep-17', undo: true }));
    expect(action).toMatchObject({
      operation: 'rollback_canary',
      service: 'payment-service',
      params: { from: 'v2.3.1', to: 'v2.3.0' },
      risk: 'destructive',
      evidence: ['ev_metric_1'],
    });
    expect(action?.reason.en).toContain('from v2.3.1 to v2.3.0');
    expect(why[0]?.en).toContain('connection_pool');
  });

  it('is undone with the deploy that brought the commit, to the deploy before it', () => {
    const changes: Change[] = [
      {
        id: 'dep-15',
        kind: 'deploy',
        service: 'payment-service',
        time: '2026-02-20T10:00:00Z',
        summary: 'x',
        details: { version: 'v1' },
      },
      {
        id: 'dep-16',
        kind: 'deploy',
        service: 'payment-service',
        time: '2026-03-01T11:50:00Z',
        summary: 'x',
        details: { version: 'v2', commit: '0123456789ab' },
      },
      { id: '0123456789abcdef', kind: 'commit', time: '2026-03-01T11:00:00Z', summary: 'smaller pool' },
    ];
    expect(
      first({ category: 'deploy_regression', change: '0123456789abcdef', undo: true }, { changes }),
    ).toMatchObject({
      operation: 'rollback_canary',
      params: { from: 'v2', to: 'v1' },
    });
  });

  it('is set back where it was a setting', () => {
    const config: Change = {
      id: 'cfg-3',
      kind: 'config',
      service: 'payment-service',
      time: '2026-03-01T11:58:00Z',
      summary: 'coupon_timeout_ms 2000 to 20',
      details: { key: 'coupon_timeout_ms', from: 2000, to: 20 },
    };
    const blamed = { category: 'bad_config', change: 'cfg-3', undo: true } as const;
    expect(first(blamed, { changes: [config] })).toMatchObject({
      operation: 'change_config',
      params: { key: 'coupon_timeout_ms', from: 20, to: 2000 },
      risk: 'destructive',
    });
    const mute: Change = { ...config, details: {} };
    expect(first(blamed, { changes: [mute] })?.operation).toBe('observe');
  });

  it.each(['deploy_regression', 'connection_pool', 'bad_config'] as const)(
    'is never undone without leave: %s',
    (category) => {
      const { action, alternatives, why } = propose(sampleRca({ category, change: 'dep-17' })) as Extract<
        ReturnType<typeof propose>,
        { alternatives: unknown }
      >;
      expect(action.operation).toBe('observe');
      expect(alternatives.map(({ operation }) => operation)).not.toContain('rollback_canary');
      expect(why.map(({ en }) => en).join(' ')).toContain('too little speaks for it');
    },
  );
});

describe('a place that is no service of ours', () => {
  it.each(['machine', 'outside'] as const)('is only looked at, whatever the kind: %s', (place) => {
    for (const category of CAUSE_CATEGORIES) {
      const proposal = propose(
        sampleRca({ category, service: 'elsewhere', place, change: 'dep-17', undo: true }),
        {
          topology: { edges: [{ from: 'payment-service', to: 'elsewhere' }] },
        },
      );
      expect(proposal.action?.operation).toBe('observe');
      const alternatives = 'alternatives' in proposal ? proposal.alternatives : [];
      expect(alternatives.map(({ operation }) => operation)).toEqual([]);
    }
  });

  it('tells a person to move what runs on a machine', () => {
    const action = first({ category: 'resource_exhaustion', service: 'worker-3', place: 'machine' });
    expect(action?.reason.en).toContain('move its replicas');
    expect(action?.reason.zh).toContain('迁到其他机器');
  });
});

describe('every other cause', () => {
  it('is met by its own remedy', () => {
    const topology = { edges: [{ from: 'payment-service', to: 'coupon-service' }] };
    const at = (category: Hypothesis['category'], service = 'order-service') =>
      first({ category, service }, { topology, changes: [] });
    expect(at('dependency_timeout', 'coupon-service')).toMatchObject({
      operation: 'degrade_dependency',
      service: 'payment-service',
      params: { dependency: 'coupon-service' },
      risk: 'safe_write',
    });
    expect(at('hot_key')).toMatchObject({ operation: 'flush_cache', service: 'order-service' });
    expect(at('database_latency')).toMatchObject({
      operation: 'failover_dependency',
      service: 'order-service',
      params: { dependency: 'database', from: 'primary', to: 'replica' },
    });
    expect(at('database_latency', 'mysql-payment')).toMatchObject({
      service: 'payment-service',
      params: { dependency: 'mysql-payment' },
    });
    expect(at('resource_exhaustion')).toMatchObject({
      operation: 'restart_deployment',
      service: 'order-service',
    });
    expect(at('crash_loop')).toMatchObject({ operation: 'restart_deployment' });
    const looks = [
      'certificate',
      'disk',
      'network_delay',
      'external',
      'service_fault',
      'none',
      'traffic_surge',
    ] as const;
    for (const category of looks) {
      expect(at(category)).toMatchObject({ operation: 'observe', risk: 'read_only' });
      expect(at(category)?.reason.en).not.toBe('');
    }
    expect(at('certificate')?.reason.en).toContain('Renew the certificate');
  });

  it('finds the dependency behind the one who waits for it', () => {
    const rca = sampleRca(
      { category: 'dependency_timeout' },
      {
        evidence: [
          metricEvidence('ev_metric_1', 'errors_503_per_second', 'payment-service', 0, 3),
          metricEvidence('ev_metric_2', 'latency_ms_p95_to_coupon-service', 'payment-service', 20, 2000),
        ],
      },
    );
    expect(propose(rca).action).toMatchObject({
      operation: 'degrade_dependency',
      service: 'payment-service',
      params: { dependency: 'coupon-service' },
    });
  });

  it('raises a limit to what is asked for, by at most four times', () => {
    const rca = sampleRca(
      { category: 'rate_limit', service: 'order-service' },
      {
        evidence: [metricEvidence('ev_metric_1', 'requests_per_second', 'order-service', 12, 40)],
      },
    );
    const state = (limit: number) => ({ 'order-service': { config: { rate_limit_rps: limit } } });
    expect(propose(rca, { state: state(20) }).action).toMatchObject({
      operation: 'change_rate_limit',
      params: { key: 'rate_limit_rps', from: 20, to: 60 },
      risk: 'safe_write',
    });
    expect(propose(rca, { state: state(5) }).action?.params['to']).toBe(20);
    expect(propose(rca).action?.params).toEqual({ to: 60 });
    const blind = propose(sampleRca({ category: 'rate_limit', service: 'order-service' }));
    expect(blind.action).toMatchObject({ operation: 'change_rate_limit', params: {} });
    expect(blind.action?.dryRunOnly?.en).toContain('a person has to name');
  });

  it('takes the limit from before it was lowered', () => {
    const lowered: Change = {
      id: 'cfg-9',
      kind: 'config',
      service: 'order-service',
      time: '2026-03-01T11:00:00Z',
      summary: 'x',
      details: { key: 'rate_limit_rps', from: 200, to: 60 },
    };
    expect(
      first({ category: 'rate_limit', service: 'order-service' }, { changes: [lowered] })?.params,
    ).toEqual({
      key: 'rate_limit_rps',
      from: 60,
      to: 200,
    });
  });

  it('scales only what is measured to be at its limit', () => {
    const surge = (evidence: Rca['evidence']) =>
      propose(sampleRca({ category: 'traffic_surge', service: 'web' }, { evidence }), {
        state: { web: { replicas: 2 } },
      }).action;
    const more = metricEvidence('ev_metric_1', 'requests_per_second', 'web', 10, 25);
    expect(surge([more])?.operation).toBe('observe');
    const busier = [
      metricEvidence('ev_metric_2', 'requests_in_flight', 'web', 1, 5),
      metricEvidence('ev_metric_2', 'cpu_usage', 'web', 0.07, 0.16),
      metricEvidence('ev_metric_2', 'connection_pool_waiting', 'web', 1, 3),
    ];
    for (const one of busier) expect(surge([more, one])?.operation).toBe('observe');
    expect(
      surge([more, metricEvidence('ev_metric_2', 'connection_pool_waiting', 'web', 0, 12)])?.operation,
    ).toBe('scale_deployment');
    expect(surge([more, metricEvidence('ev_metric_2', 'cpu_usage', 'web', 30, 95)])).toMatchObject({
      operation: 'scale_deployment',
      params: { from: 2, replicas: 5 },
    });
  });
});

describe('restraint', () => {
  it('does nothing destructive below the floor', () => {
    const weak = { category: 'crash_loop', confidence: 0.4 } as const;
    const { action, why } = propose(sampleRca(weak));
    expect(action?.operation).toBe('observe');
    expect(why.map(({ en }) => en).join(' ')).toContain('0.40 is below 0.50');
    expect(first(weak, { floor: 0.3 })?.operation).toBe('restart_deployment');
  });

  it.each(['inconclusive', 'no_incident'] as const)('only looks when it is %s', (status) => {
    const rca = sampleRca(
      { category: 'deploy_regression', change: 'dep-17', undo: true },
      { status, nextQuery: asText('logs of web?') },
    );
    const { action } = propose(rca);
    expect(action?.operation).toBe('observe');
    if (status === 'inconclusive') expect(action?.reason.en).toContain('logs of web?');
  });

  it('builds nothing on evidence that does not resolve', () => {
    expect(first({ category: 'crash_loop', supports: ['ev_log_99'] })?.operation).toBe('observe');
  });

  it('does not act on the second hypothesis because the first allows nothing', () => {
    const rca = sampleRca({ category: 'certificate', confidence: 0.5 });
    const second: Hypothesis = {
      category: 'dependency_timeout',
      service: 'coupon-service',
      confidence: 0.4,
      supports: ['ev_metric_1'],
      refutes: [],
      why: asText('x'),
    };
    const proposal = propose({ ...rca, hypotheses: [...rca.hypotheses, second] });
    expect(proposal.action?.operation).toBe('observe');
    expect('alternatives' in proposal && proposal.alternatives[0]?.operation).toBe('degrade_dependency');
  });

  it('does not repeat what did not help', () => {
    const rca = sampleRca({ category: 'crash_loop' });
    const action = propose(rca).action;
    if (!action) throw new Error('no action');
    const incident = sampleIncident({
      round: 2,
      action,
      execution: SAMPLE_EXECUTION,
      recovery: { status: 'not_recovered', checks: [], window: { start: 'x', end: 'y' }, at: 2 },
    });
    const again = propose(rca, { incident });
    expect(again.action?.operation).toBe('observe');
    expect(again.why.map(({ en }) => en).join(' ')).toContain('did not help');
  });

  it('says when no executor can do it, and drops nothing', () => {
    const proposal = propose(sampleRca({ category: 'hot_key' }), { operations: ['rollback_canary'] });
    expect(proposal.action).toMatchObject({
      operation: 'flush_cache',
      dryRunOnly: { en: expect.stringContaining('nothing here may carry out flush_cache') },
    });
  });

  it('knows rules of the house and of the service', () => {
    const rules = [{ id: 'r1', text: 'twice', effect: 'confirm_twice' as const }];
    const profile = {
      service: 'payment-service',
      dependencies: [],
      signals: [],
      names: {},
      rules: [{ id: 'p1', text: 'never', operation: 'flush_cache' as const, effect: 'forbid' as const }],
    };
    expect(first({ category: 'crash_loop' }, { rules, profile })).toMatchObject({
      confirmTwice: true,
      rules: ['r1'],
    });
    expect(first({ category: 'hot_key' }, { rules, profile })).toMatchObject({
      operation: 'observe',
      rules: ['p1'],
    });
  });

  it('has nothing to say where no service is known', () => {
    const incident = sampleIncident({ services: [] });
    delete incident.service;
    const rca = sampleRca({ category: 'crash_loop' });
    const bare = { ...rca, hypotheses: rca.hypotheses.map((one) => ({ ...one })) };
    for (const hypothesis of bare.hypotheses) delete hypothesis.service;
    expect(propose(bare, { incident })).toEqual({
      action: undefined,
      why: [{ en: expect.any(String), zh: expect.any(String) }],
    });
  });

  it('is the same every time, speaks Chinese, and covers every category', () => {
    for (const category of CAUSE_CATEGORIES) {
      const rca = sampleRca({ category, change: 'dep-17', undo: true });
      expect(propose(rca)).toEqual(propose(rca));
      expect(propose(rca).action?.reason.zh).toMatch(/[一-鿿]/);
    }
  });
});
