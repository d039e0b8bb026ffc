import { describe, expect, it } from 'vitest';
import { operationsIn, parseRule, whyNoRule } from './parse-rule.ts';

const SETTINGS = {
  peak: { start: '18:00', end: '23:00' },
  changeWindow: { start: '02:00', end: '06:00' },
};
const read = (text: string) => {
  const rule = parseRule(text, 'r1', SETTINGS);
  if (!rule) return undefined;
  const { id, text: said, ...rest } = rule;
  expect([id, said]).toEqual(['r1', text.trim()]);
  return rest;
};

describe('sentences of the seed', () => {
  it.each([
    ['payment-service 生产回滚必须审批'],
    ['payment-service production rollback requires approval'],
    ['Rolling back payment-service needs SRE approval'],
    ['Never roll back payment-service without approval'],
  ])('%s', (text) => {
    expect(read(text)).toEqual({
      service: 'payment-service',
      operation: 'rollback_canary',
      effect: 'separate_approver',
    });
  });

  it.each([['高峰期不能直接重启 order-service'], ['Do not restart order-service directly in peak hours']])(
    '%s',
    (text) => {
      expect(read(text)).toEqual({
        service: 'order-service',
        operation: 'restart_deployment',
        hours: SETTINGS.peak,
        effect: 'dry_run_only',
      });
    },
  );

  it.each([
    ['coupon-service 超时时优先降级而不是回滚 payment-service'],
    ['When coupon-service times out, prefer degrading to rolling back payment-service'],
    ['When coupon-service times out, degrade it rather than rolling back payment-service'],
  ])('%s', (text) => {
    expect(read(text)).toEqual({
      service: 'payment-service',
      operation: 'rollback_canary',
      category: 'dependency_timeout',
      effect: 'prefer',
      prefer: { operation: 'degrade_dependency', service: 'coupon-service' },
    });
  });

  it.each([
    ['非变更窗口只能 dry-run'],
    ['Outside the change window only dry-run'],
    ['- 变更窗口之外只能 dry-run'],
  ])('%s', (text) => {
    expect(read(text)).toEqual({ hours: SETTINGS.changeWindow, outside: true, effect: 'dry_run_only' });
  });

  it.each([
    ['高风险动作必须二次确认 CONFIRM_EXECUTE'],
    ['High-risk actions need a second confirmation CONFIRM_EXECUTE'],
    ['Destructive actions must be confirmed twice'],
  ])('%s', (text) => {
    expect(read(text)).toEqual({ risk: 'destructive', effect: 'confirm_twice' });
  });
});

describe('other sentences', () => {
  it.each([
    [
      '先降级再回滚',
      { operation: 'rollback_canary', effect: 'prefer', prefer: { operation: 'degrade_dependency' } },
    ],
    [
      'degrade before rollback',
      { operation: 'rollback_canary', effect: 'prefer', prefer: { operation: 'degrade_dependency' } },
    ],
    [
      '禁止在 9:00-18:30 扩容 web-frontend',
      {
        service: 'web-frontend',
        operation: 'scale_deployment',
        hours: { start: '09:00', end: '18:30' },
        effect: 'forbid',
      },
    ],
    [
      'Never flush the cache of coupon-service',
      { service: 'coupon-service', operation: 'flush_cache', effect: 'forbid' },
    ],
    ['9点到18点不允许变更', { hours: { start: '09:00', end: '18:00' }, effect: 'forbid' }],
  ])('%s', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it('hold all day when nobody has said which hours are meant', () => {
    expect(parseRule('高峰期不能直接重启 order-service', 'r')).toEqual({
      id: 'r',
      text: '高峰期不能直接重启 order-service',
      service: 'order-service',
      operation: 'restart_deployment',
      effect: 'dry_run_only',
    });
    expect(parseRule('非变更窗口只能 dry-run', 'r')).not.toHaveProperty('outside');
  });

  it('name a known service without a dash', () => {
    expect(parseRule('never restart web', 'r', { services: ['web', 'db'] })?.service).toBe('web');
  });

  it.each([
    ['P1 事故先发中文摘要到飞书群'],
    ['RCA 必须列 evidence IDs'],
    ['审批卡片必须包含 action、risk、checkpoint'],
    ['payment-service depends on mysql-payment'],
    ['Never store raw logs'],
    ['   '],
  ])('are not rules: %s', (text) => {
    expect(read(text)).toBeUndefined();
  });
});

describe('what has to come first, or may only be done then', () => {
  it.each([['coupon-service 高峰期必须先降级'], ['coupon-service must be degraded first in peak hours']])(
    '%s',
    (text) => {
      expect(read(text)).toEqual({
        service: 'coupon-service',
        hours: SETTINGS.peak,
        effect: 'prefer',
        prefer: { operation: 'degrade_dependency', service: 'coupon-service' },
      });
    },
  );

  it.each([
    ['只能在变更窗口内重启 order-service', 'restart_deployment'],
    ['order-service may be restarted only in the change window', 'restart_deployment'],
  ])('%s', (text, operation) => {
    expect(read(text)).toEqual({
      service: 'order-service',
      operation,
      hours: SETTINGS.changeWindow,
      outside: true,
      effect: 'forbid',
    });
  });

  it.each([['payment-api restarts only after the queue is drained'], ['队列清空之后才能重启 payment-api']])(
    'a condition that only a person can know is confirmed twice: %s',
    (text) => {
      expect(read(text)).toMatchObject({ operation: 'restart_deployment', effect: 'confirm_twice' });
    },
  );

  it.each([
    ['周五之后禁止回滚 payment-service', 'days'],
    ['No rollbacks of payment-service in December', 'days'],
    ['payment-service must be fast', 'demand'],
    ['checkout-api 需要经过批准', 'action'],
  ])('%s is no rule, and it is said why: %s', (text, why) => {
    expect(read(text)).toBeUndefined();
    expect(whyNoRule(text)).toBe(why);
  });
});

describe('what comes first, for other services, hours and actions', () => {
  it.each<[string, string, string, object]>([
    [
      'search-api must be scaled first during rush hour',
      'search-api',
      'scale_deployment',
      { hours: SETTINGS.peak },
    ],
    [
      'During peak hours, always degrade recommendation-service first',
      'recommendation-service',
      'degrade_dependency',
      { hours: SETTINGS.peak },
    ],
    [
      'Between 18:00 and 22:00 cart-service has to be degraded before anything else',
      'cart-service',
      'degrade_dependency',
      { hours: { start: '18:00', end: '22:00' } },
    ],
    [
      'at peak times degrade inventory-service first',
      'inventory-service',
      'degrade_dependency',
      { hours: SETTINGS.peak },
    ],
    [
      'In the evening peak, first switch traffic away from live-gateway',
      'live-gateway',
      'switch_traffic',
      { hours: SETTINGS.peak },
    ],
    ['report-cache: flush the cache first', 'report-cache', 'flush_cache', {}],
    [
      'billing-db should be failed over first outside the change window',
      'billing-db',
      'failover_dependency',
      { hours: SETTINGS.changeWindow, outside: true },
    ],
    [
      'order-service: raise the rate limit first when it is peak time',
      'order-service',
      'change_rate_limit',
      { hours: SETTINGS.peak },
    ],
    [
      'from 9am to 11am, report-worker needs to be restarted first',
      'report-worker',
      'restart_deployment',
      { hours: { start: '09:00', end: '11:00' } },
    ],
    [
      'Whenever live-gateway is in trouble at peak, degrading it comes first',
      'live-gateway',
      'degrade_dependency',
      { hours: SETTINGS.peak },
    ],
    [
      'The first thing to do with search-api in peak hours is to scale it',
      'search-api',
      'scale_deployment',
      { hours: SETTINGS.peak },
    ],
    [
      'off-peak, user-service must first be rolled back',
      'user-service',
      'rollback_canary',
      { hours: SETTINGS.peak, outside: true },
    ],
    ['晚高峰 live-gateway 要先扩容', 'live-gateway', 'scale_deployment', { hours: SETTINGS.peak }],
    [
      '20:00 到 23:00 之间 cart-service 必须首先降级',
      'cart-service',
      'degrade_dependency',
      { hours: { start: '20:00', end: '23:00' } },
    ],
    ['order-service 出问题,高峰期一律先切流', 'order-service', 'switch_traffic', { hours: SETTINGS.peak }],
    ['inventory-worker 得先重启', 'inventory-worker', 'restart_deployment', {}],
    [
      '非高峰时段 billing-db 应先主备切换',
      'billing-db',
      'failover_dependency',
      { hours: SETTINGS.peak, outside: true },
    ],
    [
      'recommend-service 在高峰期间出故障时,先做降级处理',
      'recommend-service',
      'degrade_dependency',
      { hours: SETTINGS.peak },
    ],
    [
      '上午九点到十一点 report-worker 需要先缩容',
      'report-worker',
      'scale_deployment',
      { hours: { start: '09:00', end: '11:00' } },
    ],
    [
      '大促高峰期间,gateway-api 第一步必须是降级',
      'gateway-api',
      'degrade_dependency',
      { hours: SETTINGS.peak },
    ],
    ['高峰时 search-api 首要动作是扩容', 'search-api', 'scale_deployment', { hours: SETTINGS.peak }],
    ['变更窗口内 user-service 优先回滚', 'user-service', 'rollback_canary', { hours: SETTINGS.changeWindow }],
    [
      '对 checkout-api,变更窗口外务必先降级',
      'checkout-api',
      'degrade_dependency',
      { hours: SETTINGS.changeWindow, outside: true },
    ],
    [
      '晚上八点到十一点 feed-service 应当先降级再说',
      'feed-service',
      'degrade_dependency',
      { hours: { start: '20:00', end: '23:00' } },
    ],
  ])('%s', (text, service, operation, more) => {
    expect(read(text)).toEqual({ service, ...more, effect: 'prefer', prefer: { operation, service } });
  });

  it.each([
    ['search-api was scaled first in March'],
    ['who restarts report-worker first?'],
    ['P1 先通知 search-api 的负责人'],
    ['first look at the dashboards of search-api'],
    ['search-api 先别动'],
    ['先看 search-api 的日志'],
    ['the first rollback of user-service failed'],
    ['user-service 昨天先回滚了'],
  ])('demands nothing: %s', (text) => expect(read(text)).toBeUndefined());
});

describe('hours by the clock', () => {
  it.each([
    ['never restart web-api between 9am and 6:30pm', '09:00', '18:30'],
    ['never restart web-api from 12 am to 5 am', '00:00', '05:00'],
    ['晚上8点到10点禁止重启 web-api', '20:00', '22:00'],
    ['晚上 8 点到 12 点谁都不准回滚 order-service', '20:00', '24:00'],
    ['夜里 1 点到早上 5 点不许扩容 web-api', '01:00', '05:00'],
    ['19 时至 23 时 web-api 谁也不许扩缩容', '19:00', '23:00'],
    ['上午9点到下午6点禁止重启 web-api', '09:00', '18:00'],
  ])('%s', (text, start, end) => {
    expect(parseRule(text, 'r')?.hours).toEqual({ start, end });
  });
});

describe('hours and sign-offs in other words', () => {
  it.each([
    ['晚上八点到十一点之间不准重启 live-gateway', { start: '20:00', end: '23:00' }],
    ['never restart order-service between 9 and 6', { start: '09:00', end: '18:00' }],
    ['do not restart order-service from 22 to 6', { start: '22:00', end: '06:00' }],
    ['两点半到四点禁止回滚 payment-service', { start: '02:30', end: '04:00' }],
  ])('%s', (text, hours) => expect(read(text)).toMatchObject({ effect: 'forbid', hours }));

  it.each(['never scale order-service from 3 to 9 replicas', 'never scale order-service beyond 9 replicas'])(
    'takes no count for hours: %s',
    (text) => expect(read(text)).not.toHaveProperty('hours'),
  );

  it.each([
    'scaling down billing-api must be signed off by a second person',
    '扩容 order-service 要两个人点头',
  ])('%s', (text) => expect(read(text)).toMatchObject({ effect: 'separate_approver' }));
});

describe('the operation that a sentence names', () => {
  it.each([
    ['每天 20:00 到 23:30 不许改 cart-service 的配置', 'change_config'],
    ["don't change the config of cart-service", 'change_config'],
    ["never touch cart-service's settings", 'change_config'],
    ['cart-service 的配置文件谁都不准动', 'change_config'],
    ['do not touch the replicas of cart-service', 'scale_deployment'],
    ['cart-service 的副本数不要动', 'scale_deployment'],
    ['禁止动 cart-service 的限流配置', 'change_rate_limit'],
    ['nobody may loosen the rate limit of cart-service', 'change_rate_limit'],
    ['不准清 cart-service 的缓存', 'flush_cache'],
    ['never purge the cart-service cache', 'flush_cache'],
    ['禁止切 cart-service 的流量', 'switch_traffic'],
    ['never divert traffic away from cart-service', 'switch_traffic'],
    ['不许重新启动 cart-service', 'restart_deployment'],
  ])('%s', (text, operation) => {
    expect(read(text)).toMatchObject({ service: 'cart-service', operation, effect: 'forbid' });
  });

  it.each(['cart-service 的自动化配置', 'cart-service 调用了 ledger-service 的配置接口'])(
    '%s names none',
    (text) => {
      expect(operationsIn(text)).toEqual([]);
    },
  );
});
