import { describe, expect, it } from 'vitest';
import type { HomeContent } from '#testkit/incident-home';
import { reached, SERVICE, servedStory } from './failing-service.ts';

const GRANT = {
  id: 'degrade-coupons',
  rule: `Doing without coupon-service is low risk for ${SERVICE}`,
  service: SERVICE,
  operation: 'degrade_dependency',
  per_day: 2,
};
/** Here it is coupons that are done without, before anything is rolled back. */
const DEGRADES: HomeContent = {
  incidents: {
    unattended: true,
    operations: ['degrade_dependency'],
    recheck_seconds: [1],
    most_checks: 3,
  },
  rules: [
    {
      id: 'coupons-first',
      text: 'do without coupons before anything is rolled back',
      operation: 'rollback_canary',
      effect: 'prefer',
      prefer: { operation: 'degrade_dependency', service: 'coupon-service' },
    },
  ],
  unattended: [GRANT],
};

describe('an action that a grant covers', () => {
  it('is carried out without asking, with checkpoint, rehearsals, verification and a trail', async () => {
    const { api, host, alert, registry, change } = await servedStory(DEGRADES);
    await api.send('POST', '/gateway/alertmanager', alert());
    await api.until('it is done without', async () => {
      const { degraded = [] } = (await registry()).services[SERVICE] ?? {};
      return degraded.includes('coupon-service') || undefined;
    });
    // Doing without it helps.
    await change(({ services }) => {
      const service = services[SERVICE];
      if (service) service.canary = null;
    });
    const { store } = await host.incidents();
    const [{ id } = { id: '' }] = await store.list({ limit: 1 });
    const incident = await reached(api, id, 'recovered');
    expect(incident).toMatchObject({
      action: { operation: 'degrade_dependency', risk: 'safe_write' },
      execution: { status: 'done' },
      recovery: { status: 'recovered' },
    });
    const { facts } = await api.incident(id);
    const types = facts.map(({ type }) => type);
    for (const type of [
      'action.rehearsed',
      'checkpoint.created',
      'approval.requested',
      'approval.granted',
      'execution.rehearsed',
      'execution.started',
      'recovery.verified',
    ])
      expect(types).toContain(type);
    expect(facts.find(({ type }) => type === 'approval.granted')?.data).toMatchObject({
      by: GRANT.id,
      channel: 'grant',
    });
    expect(JSON.stringify(facts)).toContain(`Nobody is asked, by the grant ${GRANT.id}: ${GRANT.rule}`);
    const { audit, approvals } = await host.gate();
    const [used] = await approvals.list({ states: ['used'], limit: 5 });
    expect(used).toMatchObject({ id: incident.approval, decidedBy: { channel: 'grant', user: GRANT.id } });
    const lines = await audit.read(0, 500);
    expect(JSON.stringify(lines.filter(({ kind }) => kind === 'approval.granted'))).toContain(GRANT.rule);
  }, 60_000);

  it('waits for a person as long as it is not switched on', async () => {
    const off = { ...DEGRADES, incidents: { ...DEGRADES.incidents, unattended: false } };
    const { asked, registry } = await servedStory(off);
    const { incident } = await asked();
    expect(incident).toMatchObject({
      state: 'awaiting_approval',
      action: { operation: 'degrade_dependency' },
    });
    expect((await registry()).services[SERVICE]?.degraded ?? []).toEqual([]);
  }, 60_000);

  it('stops by itself when it did not help', async () => {
    const { api, host, alert, change } = await servedStory(DEGRADES);
    await api.send('POST', '/gateway/alertmanager', alert());
    const { store } = await host.incidents();
    await api.until('it did not help', async () => {
      const [found] = await store.list({ limit: 1 });
      return (found?.tried?.length && found.state === 'needs_person') || undefined;
    });
    // Somebody takes it back, so that it could be done again.
    await change(({ services }) => {
      const service = services[SERVICE];
      if (service) service.degraded = [];
    });
    const approval = await api.until('a request that waits', async () => (await api.approvals())[0]);
    const { incident, facts } = await api.incident(approval.incident);
    expect(incident.tried).toMatchObject([{ operation: 'degrade_dependency' }]);
    expect(facts.map(({ type }) => type)).toContain('recovery.failed');
    expect(incident.note?.en).toContain(`The grant ${GRANT.id} does not hold, so somebody is asked`);
    expect(await (await host.gate()).approvals.list({ states: ['used'], limit: 5 })).toHaveLength(1);
  }, 60_000);

  it('waits for a person where a rule asks for one, or only people on the list may agree', async () => {
    const strict = {
      ...DEGRADES,
      rules: [...(DEGRADES.rules ?? []), 'Every action needs a second confirmation'],
    };
    const first = await (await servedStory(strict)).asked();
    expect(first.incident.note?.en).toContain('a rule or setting asks for a second confirmation');
    const listed = { ...DEGRADES, config: { gate: { approvers: ['user:pat'] } } };
    const second = await (await servedStory(listed)).asked();
    expect(second.incident.note?.en).toContain('may not agree to this');
  }, 60_000);
});
