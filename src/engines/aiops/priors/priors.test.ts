import { asText } from '#kit/text';
import { describe, expect, it } from 'vitest';
import type { Incident } from '#spec/data';
import { SAMPLE_EXECUTION, sampleIncident, sampleRca } from '#support/engines/aiops/sample-case';
import { actionOf } from '../policy/action.ts';
import { type PriorDeps, recallPriors } from './recall-priors.ts';
import { similarIncidents } from './similar-incidents.ts';

const ended = (id: string, parts: Partial<Incident> = {}): Incident =>
  sampleIncident({ id, state: 'recovered', closedAt: 10, ...parts });

const FIXED: Partial<Incident> = {
  rca: sampleRca({ category: 'connection_pool' }),
  action: actionOf(
    {
      operation: 'rollback_canary',
      service: 'payment-service',
      params: { from: 'v2', to: 'v1' },
      reason: asText('x'),
    },
    ['inc'],
    [],
  ),
  execution: SAMPLE_EXECUTION,
  recovery: { status: 'recovered', checks: [], window: { start: 'a', end: 'b' }, at: 2 },
};

const NEVER = new AbortController().signal;
const nothing: PriorDeps = { recall: async () => [], past: async () => [] };

describe('similarIncidents', () => {
  const now = sampleIncident({ id: 'now', metric: 'errors_503_per_second' });

  it('puts the same again before the same service before another one', () => {
    const past = [
      ended('other', { title: 'disk of logs-db is full', service: 'logs-db', services: ['logs-db'] }),
      ended('service', { title: 'payment-service is slow', metric: 'latency_p95_ms' }),
      ended('same', { metric: 'errors_503_per_second' }),
      ended('touched', { service: 'web', services: ['web', 'payment-service'] }),
    ];
    const found = similarIncidents(now, past);
    expect(found[0]).toMatchObject({ incident: { id: 'same' }, score: 1 });
    expect(found.map(({ incident }) => incident.id)).not.toContain('other');
    expect(similarIncidents(now, past.toReversed())).toEqual(found);
  });

  it('knows the kind of fault once there is one', () => {
    const rca = sampleRca({ category: 'hot_key' });
    const past = [ended('pool', { rca: sampleRca({ category: 'connection_pool' }) }), ended('key', { rca })];
    expect(similarIncidents({ ...now, rca }, past).map(({ incident }) => incident.id)).toEqual([
      'key',
      'pool',
    ]);
  });

  it('leaves out itself and what still goes on', () => {
    expect(similarIncidents(now, [ended('now'), ended('open', { state: 'verifying' })])).toEqual([]);
  });

  it('reads Chinese titles', () => {
    const title = '支付服务 503 错误率飙升';
    const parts = { title, service: 'a', services: ['a'] };
    const [found] = similarIncidents(sampleIncident({ id: 'n', title, service: 'b', services: ['b'] }), [
      ended('x', parts),
    ]);
    expect(found?.score).toBeGreaterThan(0.35);
  });
});

describe('recallPriors', () => {
  it('says what was checked then and what fixed it', async () => {
    const priors = await recallPriors(
      sampleIncident(),
      { ...nothing, past: async () => [ended('inc_0', FIXED)] },
      NEVER,
    );
    expect(priors).toEqual([
      expect.objectContaining({
        source: 'incident',
        ref: 'inc_0',
        checked: ['errors_503_per_second{service="payment-service"}'],
        fixedBy: 'rollback_canary payment-service (from v2, to v1)',
      }),
    ]);
    expect(priors[0]?.text).toMatch(/^Seen before \(inc_0, 2026-03-01\)/);
    expect(priors[0]?.text).toContain('connection_pool');
  });

  it('calls nothing a fix that was not verified', async () => {
    const failed = {
      ...FIXED,
      recovery: { status: 'not_recovered' as const, checks: [], window: { start: 'a', end: 'b' }, at: 2 },
    };
    const [prior] = await recallPriors(
      sampleIncident(),
      { ...nothing, past: async () => [ended('inc_0', failed)] },
      NEVER,
      'zh',
    );
    expect(prior).not.toHaveProperty('fixedBy');
    expect(prior?.text).toContain('没有效果:rollback_canary');
  });

  it('takes memories along, short, once and without secrets', async () => {
    const memory = {
      source: 'memory' as const,
      ref: 'mem_1',
      score: 0.9,
      text: `token sk-${'a'.repeat(30)} ${'x'.repeat(900)}`,
    };
    const asked: string[] = [];
    const recall: PriorDeps['recall'] = async (query) => {
      asked.push(query);
      return [memory, memory];
    };
    const priors = await recallPriors(sampleIncident({ metric: 'm' }), { ...nothing, recall }, NEVER);
    expect(asked).toEqual(['payment-service payment-service 503 rate is high m']);
    expect(priors).toHaveLength(1);
    expect(priors[0]?.text).toContain('[secret:');
    expect(priors[0]?.text.length).toBeLessThanOrEqual(400);
  });
});
