import { beforeAll, describe, expect, it } from 'vitest';
import { type Conditions, loadConditions } from './condition.ts';

let conditions: Conditions;
beforeAll(async () => {
  conditions = await loadConditions();
});

const scope = {
  anomalies: {
    count: 3,
    has_critical: true,
    max_severity: 'critical',
    items: [{ severity: 'low' }],
    ratio: 0.5,
  },
  hour: 10,
  priority: 'urgent',
  skipped: null,
  evil: "x' || true || 'y",
};

describe('conditions', () => {
  it.each([
    ['${anomalies.has_critical} == true', true],
    ['${anomalies.count} > 0', true],
    ['${anomalies.count} + 1 == 4', true],
    ['${anomalies.ratio} > 0.4 and {{anomalies.count}} < 4', true],
    ['hour >= 9 and hour <= 18', true],
    ['hour < 9 or hour > 18', false],
    ["priority == 'urgent'", true],
    ["not (priority == 'and') and ${anomalies.max_severity} != 'or'", true],
    ['${anomalies.items[0].severity} == "low"', true],
    ['size(${anomalies.items}) > 0', true],
    ["${anomalies.items}.exists(i, i.severity == 'high')", false],
    ['anomalies.count in [1, 3]', true],
    ['${skipped} == null', true],
    ['${skipped.count} > 0', false],
    ["${evil} == 'z'", false],
    ['True', true],
  ])('%s is %s', (condition, holds) => {
    expect(conditions.test(condition, scope).holds).toBe(holds);
  });

  it('say what they cannot compare with', () => {
    expect(conditions.test('${skipped.count} > 0', scope).because).toBe('there is no skipped.count');
  });

  it.each([
    ['${anomalies.nope} > 1', "'anomalies' has no 'nope'"],
    ['unknown > 1', "nothing is called 'unknown' here"],
    ['${anomalies.count} >', 'cannot be decided'],
    ['${anomalies.max_severity} > 3', 'cannot be decided'],
    ['${a b}', 'is not a reference'],
  ])('fail on %s', (condition, why) => expect(() => conditions.test(condition, scope)).toThrow(why));

  it('tell what they name', () => {
    const named = conditions.paths("${a.b} > 1 and hour > 2 or size(c) == 0 and ${d}.exists(i, i.x == 'e')");
    expect(named.map(({ parts }) => parts.join('.'))).toEqual(['a.b', 'd', 'hour', 'c']);
  });
});
