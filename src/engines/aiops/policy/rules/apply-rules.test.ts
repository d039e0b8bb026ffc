import { asText } from '#kit/text';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CAUSE_CATEGORIES, type GovernanceRule, OPERATIONS, type ProposedAction, RISKS } from '#spec/data';
import { actionOf } from '../action.ts';
import { riskRank } from '../risk.ts';
import { applyRules } from './apply-rules.ts';
import { parseRule } from './parse-rule.ts';

const NOON = Date.parse('2026-03-01T12:00:00Z');
const EVENING = Date.parse('2026-03-01T20:00:00Z');
const SETTINGS = {
  peak: { start: '18:00', end: '23:00' },
  changeWindow: { start: '22:00', end: '06:00' },
};
const rule = (text: string, id = text): GovernanceRule => {
  const parsed = parseRule(text, id, SETTINGS);
  if (!parsed) throw new Error(text);
  return parsed;
};
const action = (operation: ProposedAction['operation'], service = 'payment-service'): ProposedAction =>
  actionOf({ operation, service, params: {}, reason: asText('because') }, ['inc_1', 1], ['ev_metric_1']);
const at = (now: number) => ({ now, zone: 'UTC' });

describe('applyRules', () => {
  it('asks for somebody else', () => {
    const { action: ruled } = applyRules(
      action('rollback_canary'),
      [rule('payment-service 生产回滚必须审批')],
      at(NOON),
    );
    expect(ruled).toMatchObject({ separateApprover: true, rules: ['payment-service 生产回滚必须审批'] });
    const other = applyRules(
      action('rollback_canary', 'web'),
      [rule('payment-service 生产回滚必须审批')],
      at(NOON),
    );
    expect(other.action).toEqual(action('rollback_canary', 'web'));
  });

  it('knows the time of the day, in the zone', () => {
    const peak = rule('高峰期不能直接重启 order-service');
    const restart = action('restart_deployment', 'order-service');
    expect(applyRules(restart, [peak], at(NOON)).action.dryRunOnly).toBeUndefined();
    expect(applyRules(restart, [peak], at(EVENING)).action.dryRunOnly).toEqual(asText(peak.text));
    // 12:00 in UTC is 20:00 in Shanghai.
    expect(applyRules(restart, [peak], { now: NOON, zone: 'Asia/Shanghai' }).action.dryRunOnly?.en).toBe(
      peak.text,
    );
  });

  it('lets a window go over midnight, and holds outside of it', () => {
    const window = rule('非变更窗口只能 dry-run');
    const dry = (now: string) =>
      applyRules(action('flush_cache'), [window], at(Date.parse(now))).action.dryRunOnly !== undefined;
    expect([dry('2026-03-01T21:59:00Z'), dry('2026-03-01T23:00:00Z')]).toEqual([true, false]);
    expect([dry('2026-03-02T05:59:00Z'), dry('2026-03-02T06:00:00Z')]).toEqual([false, true]);
  });

  it('holds in doubt: a zone that does not exist', () => {
    const broken: GovernanceRule = {
      ...rule('高峰期不能直接重启 order-service'),
      hours: { start: '18:00', end: '23:00', zone: 'Mars/Base' },
    };
    expect(
      applyRules(action('restart_deployment', 'order-service'), [broken], at(NOON)).action.dryRunOnly,
    ).toBeDefined();
  });

  it('degrades instead of rolling back while coupons time out', () => {
    const prefer = rule('coupon-service 超时时优先降级而不是回滚 payment-service');
    const hypotheses = [
      { category: 'deploy_regression' as const, confidence: 0.6, service: 'payment-service' },
      { category: 'dependency_timeout' as const, confidence: 0.3, service: 'coupon-service' },
    ];
    const ruled = applyRules(action('rollback_canary'), [prefer], { ...at(NOON), hypotheses });
    expect(ruled.action).toMatchObject({
      operation: 'degrade_dependency',
      service: 'payment-service',
      params: { dependency: 'coupon-service' },
      risk: 'safe_write',
      evidence: ['ev_metric_1'],
    });
    expect(ruled.action.id).not.toBe(action('rollback_canary').id);
    const unlikely = hypotheses.slice(0, 1);
    expect(
      applyRules(action('rollback_canary'), [prefer], { ...at(NOON), hypotheses: unlikely }).action.operation,
    ).toBe('rollback_canary');
  });

  it('confirms twice what is risky, and only that', () => {
    const twice = rule('高风险动作必须二次确认 CONFIRM_EXECUTE');
    expect(applyRules(action('rollback_canary'), [twice], at(NOON)).action.confirmTwice).toBe(true);
    expect(applyRules(action('degrade_dependency'), [twice], at(NOON)).action.confirmTwice).toBe(false);
  });

  it('only looks where something is forbidden', () => {
    const ruled = applyRules(
      action('flush_cache'),
      [rule('Never flush the cache of payment-service')],
      at(NOON),
    );
    expect(ruled.action).toMatchObject({ operation: 'observe', risk: 'read_only' });
    expect(ruled.why[0]?.en).toContain('Never flush');
  });

  it('follows no rule towards a higher risk, and says so', () => {
    const reckless = rule('prefer restarting over degrading');
    const ruled = applyRules(action('degrade_dependency'), [reckless], at(NOON));
    expect(ruled.action.operation).toBe('degrade_dependency');
    expect(ruled.why[0]?.en).toContain('only lower the risk');
  });
});

/** Mostly absent, so that most rules apply to something. */
const seldom = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
const present = (value: object) =>
  Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined));

const arbitraryRule: fc.Arbitrary<GovernanceRule> = fc
  .record({
    id: fc.string({ minLength: 1, maxLength: 3 }),
    text: fc.string(),
    effect: fc.constantFrom(
      'forbid',
      'dry_run_only',
      'confirm_twice',
      'separate_approver',
      'prefer',
      'prefer',
    ),
    service: seldom(fc.constantFrom('a', 'b', 'c')),
    operation: seldom(fc.constantFrom(...OPERATIONS)),
    category: seldom(fc.constantFrom(...CAUSE_CATEGORIES)),
    risk: seldom(fc.constantFrom(...RISKS)),
    hours: seldom(
      fc.record({
        start: fc.constantFrom('00:00', '09:00', 'soon'),
        end: fc.constantFrom('09:00', '24:00'),
        zone: fc.constantFrom('UTC', 'No/Where'),
      }),
    ),
    outside: seldom(fc.boolean()),
    prefer: fc.record({ operation: fc.constantFrom(...OPERATIONS) }),
  })
  .map((parts) => present(parts) as unknown as GovernanceRule);

const arbitraryAction: fc.Arbitrary<ProposedAction> = fc
  .record({
    operation: fc.constantFrom(...OPERATIONS),
    service: fc.constantFrom('a', 'b', 'c'),
    confirmTwice: fc.boolean(),
    separateApprover: fc.boolean(),
    dryRunOnly: fc.option(fc.string().map(asText), { nil: undefined }),
  })
  .map(({ operation, service, confirmTwice, separateApprover, dryRunOnly }) => ({
    ...action(operation, service),
    confirmTwice,
    separateApprover,
    ...(dryRunOnly === undefined ? {} : { dryRunOnly }),
  }));

const arbitraryHypotheses = fc.array(
  fc.record({
    category: fc.constantFrom(...CAUSE_CATEGORIES),
    confidence: fc.double({ min: 0, max: 1, noNaN: true }),
    service: fc.constantFrom('a', 'b', undefined),
  }),
  { maxLength: 4 },
) as fc.Arbitrary<{ category: (typeof CAUSE_CATEGORIES)[number]; confidence: number; service?: string }[]>;

describe('whatever the rules', () => {
  it('the result is never less strict than without them', () => {
    fc.assert(
      fc.property(
        arbitraryAction,
        fc.array(arbitraryRule, { maxLength: 8 }),
        arbitraryHypotheses,
        fc.integer({ min: 0, max: 86_400_000 }),
        (given, rules, hypotheses, now) => {
          const { action: ruled } = applyRules(given, rules, { now, zone: 'UTC', hypotheses });
          expect(riskRank(ruled.risk)).toBeLessThanOrEqual(riskRank(given.risk));
          // Approval falls away only together with everything that could be approved.
          expect(ruled.risk !== 'read_only').toBe(ruled.operation !== 'observe');
          expect(ruled.confirmTwice || !given.confirmTwice).toBe(true);
          expect(ruled.separateApprover || !given.separateApprover).toBe(true);
          expect(ruled.dryRunOnly !== undefined || given.dryRunOnly === undefined).toBe(true);
          expect(ruled.evidence).toEqual(given.evidence);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('their order does not matter, as long as their ids differ', () => {
    fc.assert(
      fc.property(
        arbitraryAction,
        fc.uniqueArray(arbitraryRule, { maxLength: 6, selector: ({ id }) => id }),
        arbitraryHypotheses,
        (given, rules, hypotheses) => {
          const circumstances = { now: NOON, zone: 'UTC', hypotheses };
          expect(applyRules(given, rules.toReversed(), circumstances)).toEqual(
            applyRules(given, rules, circumstances),
          );
        },
      ),
    );
  });
});
