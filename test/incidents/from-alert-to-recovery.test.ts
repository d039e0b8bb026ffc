import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseWorkflow } from '#engines/skills';
import { reached, SERVICE, servedStory } from './failing-service.ts';

const STORY = [
  'gateway.received',
  'alert.normalized',
  'incident.created',
  'evidence.collected',
  'rca.concluded',
  'action.proposed',
  'action.rehearsed',
  'checkpoint.created',
  'approval.requested',
  'approval.granted',
  'execution.rehearsed',
  'execution.started',
  'execution.finished',
  'recovery.verified',
  'incident.closed',
  'lesson.recorded',
];

describe('an incident', () => {
  it('goes from its alert to a verified recovery, leaves lessons, and is known when it comes again', async () => {
    const story = await servedStory();
    const { api, host, home } = story;
    const { incident, approval } = await story.asked();
    expect(incident.rca?.status).toBe('concluded');
    // Nobody is asked where no model is configured.
    expect(incident).not.toHaveProperty('reading');
    expect(incident.rca?.hypotheses[0]).toMatchObject({
      category: 'deploy_regression',
      service: SERVICE,
      change: 'dep-1',
      undo: true,
    });
    expect(incident.action).toMatchObject({
      operation: 'rollback_canary',
      service: SERVICE,
      params: { from: 'v2', to: 'v1' },
    });
    for (const id of incident.action?.evidence ?? []) {
      const result = await api.send('GET', `/api/incidents/${incident.id}/evidence/${id}`);
      expect([id, result.status]).toEqual([id, 200]);
    }
    expect(approval.shown).toContain('"canary"');
    // Nothing happens before somebody has agreed.
    expect((await story.registry()).services[SERVICE]?.canary).toMatchObject({ version: 'v2' });

    // The same alert again changes nothing, and neither does a second agreement.
    await api.send('POST', '/gateway/alertmanager', story.alert());
    expect((await api.approve(approval.id)).status).toBe(200);
    expect((await api.approve(approval.id)).status).toBe(409);
    await reached(api, incident.id, 'recovered');
    const closed = await api.until('the lesson is written', async () => {
      const { incident: now } = await api.incident(incident.id);
      return now.lesson ? now : undefined;
    });

    const { services, history, applied } = await story.registry();
    expect(services[SERVICE]).toMatchObject({ version: 'v1', canary: null });
    expect(history.filter(({ id }) => id !== 'dep-1')).toHaveLength(1);
    expect(Object.keys(applied)).toEqual([closed.execution?.key]);
    expect(closed.execution).toMatchObject({ status: 'done', executor: 'demo_file', reconciled: false });
    expect(closed.recovery?.checks.find(({ dimension }) => dimension === 'errors')).toMatchObject({
      ok: true,
      usual: 0,
      after: 0,
    });
    const { facts } = await api.incident(incident.id);
    const told = facts.map(({ type }) => type).filter((type) => STORY.includes(type));
    expect([...new Set(told)]).toEqual(STORY);
    for (const once of ['incident.created', 'approval.requested', 'execution.started', 'lesson.recorded'])
      expect([once, told.filter((type) => type === once).length]).toEqual([once, 1]);
    expect(await (await host.gate()).audit.verify()).toMatchObject({ sound: true });

    await lessonsOf(closed.lesson, home.folder, incident.id);
    const { memory } = await host.memory();
    const kept = await memory.list(undefined, { states: ['active'], limit: 50 });
    expect(kept.map(({ id }) => id)).toEqual(expect.arrayContaining([...(closed.lesson?.memories ?? [])]));
    expect(kept.some(({ kind, text }) => kind === 'incident_summary' && text.includes(SERVICE))).toBe(true);
    const report = await api.send('GET', `/api/incidents/${incident.id}/report`);
    expect(report.body).toContain('rollback_canary');

    // It comes again: the rollout is tried once more.
    await story.change((registry) => {
      const service = registry.services[SERVICE];
      if (service) service.canary = { version: 'v2', weight: 50 };
    });
    const again = await api.send('POST', '/api/incidents', {
      title: `HighErrorRate of ${SERVICE}`,
      service: SERVICE,
      severity: 'P1',
    });
    const { incident: second } = again.body as { incident: string };
    expect(second).not.toBe(incident.id);
    const prior = await api.until('the prior of the second incident', async () => {
      const { incident: now } = await api.incident(second);
      return now.priors?.find(({ source, ref }) => source === 'incident' && ref === incident.id);
    });
    expect(prior.text).toContain('Seen before');
    expect(prior.fixedBy).toContain('rollback_canary');
    expect(prior.checked?.length).toBeGreaterThan(0);
  }, 60_000);
});

async function lessonsOf(
  lesson: Awaited<ReturnType<typeof reached>>['lesson'],
  home: string,
  incident: string,
): Promise<void> {
  const read = (path: string | undefined) => readFile(path ?? 'there is none', 'utf8');
  expect(lesson?.memories.length).toBeGreaterThan(0);
  const skill = await read(join(home, 'skills', lesson?.skill ?? ''));
  expect(lesson?.skill).toBe(`runbooks/runbookhermes/${SERVICE}-deploy-regression/SKILL.md`);
  expect(skill).toMatch(/^---\nname: payment-service-deploy-regression\n/);
  const file = lesson?.workflow ?? '';
  const workflow = parseWorkflow(await read(join(home, 'skills', file)), file);
  expect(workflow).not.toHaveProperty('problems');
  expect(workflow).toHaveProperty('workflow.steps[0]');
  expect(await read(lesson?.knowledge)).toContain(incident);
  expect(JSON.parse(await read(lesson?.evalCase))).toMatchObject({
    incident,
    truth: { provenBy: 'recovery', service: SERVICE, operation: 'rollback_canary' },
  });
  const trajectories = (await read(lesson?.trajectory)).trim().split('\n');
  expect(trajectories.map((line) => JSON.stringify(JSON.parse(line))).join()).toContain(incident);
}
