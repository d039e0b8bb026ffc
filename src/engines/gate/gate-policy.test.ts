import { describe, expect, it } from 'vitest';
import { ANN } from '#support/engines/gate/gate-stage';
import { DEFAULT_POLICY, type GatePolicy, ruleFor } from './gate-policy.ts';

const policy = (more: Partial<GatePolicy>): GatePolicy => ({ ...DEFAULT_POLICY, ...more });

describe('ruleFor', () => {
  it('asks about level 3 and denies nothing, unless told otherwise', () => {
    expect(ruleFor(DEFAULT_POLICY, ANN, undefined)).toEqual({
      askFrom: 3,
      denyFrom: undefined,
      separateApprover: false,
      smart: false,
    });
  });

  it('lets the platform speak before the caller, and both before the general rule', () => {
    const given = policy({
      denyFrom: 3,
      callers: { chat: { askFrom: 1, denyFrom: 2 } },
      platforms: { cli: { askFrom: 2 } },
    });
    expect(ruleFor(given, ANN, undefined)).toMatchObject({ askFrom: 2, denyFrom: 2 });
    expect(ruleFor(given, { ...ANN, platform: 'slack' }, undefined)).toMatchObject({
      askFrom: 1,
      denyFrom: 2,
    });
    expect(ruleFor(given, { ...ANN, platform: 'x', caller: 'cron' }, undefined)).toMatchObject({
      askFrom: 3,
      denyFrom: 3,
    });
  });

  it('lets a backend tighten and never loosen', () => {
    const loose = { askFrom: 3, denyFrom: 3, separateApprover: false, smart: true } as const;
    const tight = { askFrom: 0, denyFrom: 1, separateApprover: true, smart: false } as const;
    const rules = { backends: { loose, tight } };
    expect(ruleFor(policy({ ...tight, ...rules }), ANN, 'loose')).toEqual(tight);
    expect(ruleFor(policy({ ...loose, ...rules }), ANN, 'tight')).toEqual(tight);
    expect(ruleFor(policy({ ...loose, ...rules }), ANN, 'unknown')).toEqual(loose);
  });

  it('knows no rule by the name of what every object has', () => {
    expect(ruleFor(DEFAULT_POLICY, { ...ANN, platform: 'constructor' }, '__proto__')).toMatchObject({
      askFrom: 3,
    });
  });
});
