import { describe, expect, it } from 'vitest';
import { CAUSE_CATEGORIES, type Rca } from '#spec/data';
import { metricEvidence, sampleRca } from '#support/engines/aiops/sample-case';
import { CATEGORIES } from '../../names.ts';
import { otherName, readCauses } from './read-causes.ts';
import { type Opinion, weighOpinion } from './weigh-opinion.ts';

const why = { en: 'it says so', zh: '如此说明' };

/** A release that empties a pool, a slow coupon service, and a change that came too late. */
const rca: Rca = sampleRca(
  { category: 'connection_pool', change: 'dep-17', confidence: 0.9, supports: ['ev_metric_1', 'ev_log_1'] },
  {
    evidence: [
      metricEvidence('ev_metric_1', 'errors_503_per_second', 'payment-service', 0.1, 9),
      metricEvidence('ev_log_1', 'pool_timeouts', 'payment-service', 0, 40),
      metricEvidence('ev_metric_2', 'latency_ms_p95', 'coupon-service', 20, 90),
      {
        ...metricEvidence('ev_change_2', 'x', 'order-service', 0, 0),
        kind: 'change',
        summary: { en: 'config cfg-4 on order-service', zh: '配置 cfg-4' },
      },
    ],
  },
);
rca.hypotheses.push(
  {
    category: 'dependency_timeout',
    service: 'coupon-service',
    confidence: 0.2,
    supports: ['ev_metric_2'],
    refutes: ['ev_log_1'],
    why,
  },
  {
    category: 'deploy_regression',
    service: 'order-service',
    confidence: 0.01,
    supports: [],
    refutes: ['ev_change_2'],
    why: { en: 'config cfg-4 is not the cause: it came 9 min after', zh: '配置 cfg-4 不是原因' },
  },
);
const weigh = (opinion: Opinion) => weighOpinion(rca, opinion);
const english = (opinion: Opinion): string =>
  weigh(opinion)
    .said.map(({ en }) => en)
    .join('\n');

describe('readCauses', () => {
  it.each([
    ['deploy_db_regression', ['deploy_regression', 'database_latency', 'connection_pool']],
    ['connection_pool', ['connection_pool']],
    ['Connection-Pool', ['connection_pool']],
    ['downstream_dependency_timeout', ['dependency_timeout']],
    ['order-service rate limit', ['rate_limit']],
    ['redis_hot_key', ['hot_key']],
    ['mysql_latency_spike', ['database_latency', 'connection_pool']],
    ['限流', ['rate_limit']],
    ['发布导致的连接池耗尽', ['deploy_regression', 'connection_pool']],
    ['unicorns', []],
  ])('%s', (text, causes) => expect(readCauses(text)).toEqual(causes));

  it.each(
    CAUSE_CATEGORIES.flatMap(
      (category) =>
        [
          [category, category],
          [CATEGORIES[category].en, category],
          [CATEGORIES[category].zh, category],
        ] as const,
    ),
  )('knows its own name %s', (name, category) => expect(readCauses(name)).toEqual([category]));

  it.each([
    ['慢查询拖垮了订单库', 'database_latency'],
    ['磁盘满了', 'disk'],
    ['内存泄漏', 'resource_exhaustion'],
    ['进程反复重启', 'crash_loop'],
    ['下游超时', 'dependency_timeout'],
    ['配置改错了', 'bad_config'],
    ['流量突增', 'traffic_surge'],
    ['第三方故障', 'external'],
    ['误报', 'none'],
    ['network trouble', 'network_delay'],
    ['a third-party outage', 'external'],
    ['OOMKilled', 'resource_exhaustion'],
  ] as const)('reads %s', (text, category) => expect(readCauses(text)).toContain(category));
});

describe('otherName', () => {
  it('is for a release that shows in a pool or a database', () => {
    expect(otherName({ category: 'connection_pool', change: 'dep-17' }, [])).toBe('deploy_db_regression');
    const told = ['payment-service wrote "connection pool exhausted" 40 times'];
    expect(otherName({ category: 'deploy_regression', change: 'dep-17' }, told)).toBe('deploy_db_regression');
    expect(otherName({ category: 'deploy_regression', change: 'dep-17' }, ['errors rose'])).toBeUndefined();
    expect(otherName({ category: 'connection_pool' }, told)).toBeUndefined();
    expect(otherName({ category: 'bad_config', change: 'cfg-1' }, told)).toBeUndefined();
  });
});

describe('weighOpinion', () => {
  it('says where the evidence agrees, also under the name that others give to it', () => {
    const answer = weigh({ category: 'deploy_db_regression', service: 'payment-service' });
    expect(answer).toMatchObject({
      verdict: 'first',
      rank: 1,
      differs: [],
      supports: ['ev_metric_1', 'ev_log_1'],
    });
    expect(answer.said[0]?.en).toBe(
      'The evidence says the same: connection_pool in payment-service by dep-17 (confidence 0.90).',
    );
    expect(answer.said[0]?.zh).toContain('payment-service 的连接池');
  });

  it('finds a less likely hypothesis, with what speaks for it, against it and for the first', () => {
    const answer = weigh({ text: 'I think coupon-service times out' });
    expect(answer).toMatchObject({ verdict: 'considered', rank: 2, supports: ['ev_metric_2'] });
    expect(answer.refutes).toEqual(['ev_log_1', 'ev_metric_1']);
    expect(answer.said.map(({ en }) => en).join('\n')).toContain(
      'What the evidence says first: connection_pool in payment-service by dep-17 (confidence 0.90, concluded).',
    );
  });

  it('tells a change that is refuted', () => {
    const answer = weigh({ change: 'cfg-4' });
    expect(answer).toMatchObject({ verdict: 'refuted', rank: 3, supports: [] });
    expect(answer.refutes).toContain('ev_change_2');
    expect(answer.said[0]?.en).toContain('it came 9 min after');
  });

  it('says in what the nearest differs', () => {
    expect(weigh({ category: 'disk', service: 'payment-service' })).toMatchObject({
      verdict: 'near',
      rank: 1,
      differs: ['category'],
    });
    expect(english({ category: 'hot_key', service: 'coupon-service' })).toContain(
      'About that service, without showing this cause: ev_metric_2.',
    );
  });

  it('does not make up a correspondence', () => {
    const answer = weigh({ category: 'certificate', service: 'mail-service' });
    expect(answer).toMatchObject({ verdict: 'unseen', supports: [] });
    expect(answer.said.map(({ en }) => en)).toContain('Nothing that is stored is about mail-service.');
    expect(weigh({ text: 'bad luck' }).verdict).toBe('unread');
  });

  it('checks what it cites', () => {
    const answer = weigh({ category: 'dependency_timeout', evidence: ['ev_metric_9', 'ev_metric_1'] });
    expect(answer.unknown).toEqual(['ev_metric_9']);
    expect(answer.said.map(({ en }) => en)).toEqual(
      expect.arrayContaining([
        'ev_metric_9 is no evidence of this diagnosis.',
        'ev_metric_1 does not speak for it, but for hypothesis 1.',
      ]),
    );
  });

  it('never takes an opinion for a conclusion', () => {
    const open: Rca = { ...rca, status: 'inconclusive' };
    expect(weighOpinion(open, { category: 'connection_pool' }).verdict).toBe('considered');
    for (const opinion of [{ category: 'disk' }, { text: '我觉得是热点 key' }, { change: 'dep-17' }])
      expect(weigh(opinion).said.at(-1)).toEqual({
        en: expect.stringContaining('rests on the evidence alone') as string,
        zh: expect.stringContaining('只依据证据') as string,
      });
  });

  it('leaves the diagnosis as it is', () => {
    const before = JSON.stringify(rca);
    weigh({ category: 'disk', service: 'x-service', evidence: ['ev_metric_1'] });
    expect(JSON.stringify(rca)).toBe(before);
  });
});
