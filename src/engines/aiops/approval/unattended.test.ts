import { describe, expect, it } from 'vitest';
import type { Approval, Incident, ProposedAction, UnattendedGrant } from '#spec/data';
import { asText } from '#kit/text';
import { sampleIncident, sampleRca } from '#support/engines/aiops/sample-case';
import { unattendedGrant } from './unattended.ts';

const NOW = Date.parse('2026-03-02T12:00:00Z');
const HOUR = 3_600_000;
const GRANT: UnattendedGrant = {
  id: 'scale-payments',
  rule: 'scaling payment-service up is low risk',
  service: 'payment-service',
  operation: 'scale_deployment',
  per_day: 2,
};
const ACTION: ProposedAction = {
  id: 'act_1',
  operation: 'scale_deployment',
  service: 'payment-service',
  params: { from: 2, replicas: 4 },
  risk: 'safe_write',
  reason: asText('a surge'),
  evidence: ['ev_metric_1'],
  confirmTwice: false,
  separateApprover: false,
  rules: [],
};
const SURE = sampleIncident({ rca: sampleRca({ category: 'traffic_surge', confidence: 0.95 }) });

const use = (id: string, session: string, at: number): Approval =>
  ({
    id,
    createdAt: at,
    requester: { session },
    decidedBy: { channel: 'grant', user: GRANT.id },
  }) as Approval;
const ended = (id: string, approval: string, status: 'recovered' | 'not_recovered'): Incident =>
  sampleIncident({
    id,
    approval,
    recovery: { status, checks: [], window: { start: '', end: '' }, at: 0 },
  });

interface Told {
  incident?: Incident;
  action?: Partial<ProposedAction>;
  grant?: Partial<UnattendedGrant>;
  settings?: Partial<Record<'unattended' | 'execute' | 'confirmAlways', boolean>>;
  agreed?: readonly Approval[];
  incidents?: readonly Incident[];
}
const decide = ({ incident = SURE, action, grant, settings, agreed = [], incidents = [] }: Told = {}) =>
  unattendedGrant(
    incident,
    { ...ACTION, ...action },
    {
      settings: { unattended: true, execute: true, confirmAlways: false, ...settings },
      gate: { agreed: async (limit: number) => agreed.slice(0, limit) },
      store: { get: async (id: string) => incidents.find((one) => one.id === id) },
      grants: async () => [{ ...GRANT, ...grant }],
      now: () => NOW,
    },
  );

describe('unattendedGrant', () => {
  it('is the grant that names the service and the operation', async () => {
    expect(await decide()).toEqual({ grant: GRANT });
    expect(await decide({ grant: { service: 'other-service' } })).toBeUndefined();
    expect(await decide({ grant: { operation: 'degrade_dependency' } })).toBeUndefined();
  });

  it.each([{ unattended: false }, { execute: false }])('is none while it is off: %j', async (settings) => {
    expect(await decide({ settings })).toBeUndefined();
  });

  it('never covers what is dangerous, whatever the grant and the action say of themselves', async () => {
    for (const operation of [
      'rollback_canary',
      'restart_deployment',
      'flush_cache',
      'change_config',
    ] as const)
      expect(await decide({ grant: { operation }, action: { operation, risk: 'safe_write' } })).toMatchObject(
        { grant: undefined, why: { en: expect.stringContaining('not of low risk') as string } },
      );
  });

  it.each<[string, Told, string]>([
    ['a second confirmation', { action: { confirmTwice: true } }, 'second confirmation'],
    ['another person', { action: { separateApprover: true } }, 'another person'],
    ['a confirmation of everything', { settings: { confirmAlways: true } }, 'second confirmation'],
    [
      'a cause that is not concluded',
      {
        incident: {
          ...SURE,
          rca: sampleRca({ category: 'traffic_surge', confidence: 0.95 }, { status: 'inconclusive' }),
        },
      },
      'not sure enough',
    ],
    [
      'a doubtful cause',
      { incident: { ...SURE, rca: sampleRca({ category: 'traffic_surge', confidence: 0.8 }) } },
      'not sure enough',
    ],
    ['something that was tried', { incident: { ...SURE, tried: [ACTION] } }, 'tried for this incident'],
  ])('does not hold with %s', async (_, told, why) => {
    expect(await decide(told)).toMatchObject({
      grant: undefined,
      why: { en: expect.stringContaining(why) as string, zh: expect.stringContaining(GRANT.id) as string },
    });
  });

  it('holds so often a day, and again on the next one', async () => {
    const agreed = [use('a', 'inc_a', NOW - HOUR), use('b', 'inc_b', NOW - 2 * HOUR)];
    const incidents = [ended('inc_a', 'a', 'recovered'), ended('inc_b', 'b', 'recovered')];
    expect(await decide({ agreed, incidents })).toMatchObject({ grant: undefined });
    expect(await decide({ agreed: agreed.slice(1), incidents })).toEqual({ grant: GRANT });
    const yesterday = agreed.map((one) => ({ ...one, createdAt: one.createdAt - 24 * HOUR }));
    expect(await decide({ agreed: yesterday, incidents })).toEqual({ grant: GRANT });
  });

  it('stops after a use that did not end in a recovery, or whose end is not known', async () => {
    const agreed = [use('a', 'inc_a', NOW - HOUR)];
    for (const incidents of [
      [ended('inc_a', 'a', 'not_recovered')],
      [ended('inc_a', 'other', 'recovered')],
      [],
    ])
      expect(await decide({ agreed, incidents })).toMatchObject({
        grant: undefined,
        why: { en: expect.stringContaining('inc_a') as string },
      });
  });

  it('does not hold where its uses cannot be counted', async () => {
    const busy = Array.from({ length: 2_000 }, (_, at) => ({
      ...use(`x${at}`, 'inc_x', NOW - at),
      decidedBy: undefined,
    }));
    expect(await decide({ agreed: busy as unknown as Approval[] })).toMatchObject({
      why: { en: expect.stringContaining('cannot be counted') as string },
    });
  });
});
