import { describe, expect, it } from 'vitest';
import { readRules } from './read-rules.ts';

describe('readRules', () => {
  it('reads sentences and records', () => {
    const { rules, problems } = readRules(
      `rules:
  - payment-service 生产回滚必须审批
  - {id: night, service: web, effect: forbid, hours: {start: "22:00", end: "06:00", zone: Europe/Berlin}}
`,
      'governance.yaml',
    );
    expect(problems).toEqual([]);
    expect(rules).toEqual([
      expect.objectContaining({ id: 'governance.yaml#1', effect: 'separate_approver' }),
      expect.objectContaining({ id: 'night', text: 'governance.yaml#2', service: 'web' }),
    ]);
  });

  it('tells of everything that does not hold although somebody wrote it', () => {
    const { rules, problems } = readRules(
      `- be careful
- {effect: forbid, servce: web}
- {effect: prefer, operation: rollback_canary}
- {effect: forbid, hours: {start: noon, end: "13:00"}}
`,
      'g',
    );
    expect(rules).toHaveLength(1);
    expect(problems).toEqual([
      expect.stringContaining('g#1'),
      expect.stringMatching(/g#2.*servce/),
      expect.stringMatching(/g#3.*instead/),
      expect.stringMatching(/g#4.*all day/),
    ]);
    expect(readRules('a: [', 'g').problems).toHaveLength(1);
    expect(readRules('just words', 'g').problems).toHaveLength(1);
    expect(readRules('', 'g')).toEqual({ rules: [], problems: [] });
  });
});
