import { describe, expect, it, onTestFinished } from 'vitest';
import { incidentApi, startServing, type ServingProcess } from '#testkit/incident-home';
import { askedFor, failingService, reached, SERVICE, servedStory } from './failing-service.ts';

/** A process that is gone when the test is over, however it ends. */
async function serving(home: Parameters<typeof startServing>[0]): Promise<ServingProcess> {
  const process = await startServing(home);
  onTestFinished(() => process.kill());
  return process;
}

describe('an approval that waits', () => {
  it('outlives the process, and is carried out once by the next one', async () => {
    const story = await failingService();
    let current = await serving(story.home);
    const api = incidentApi(() => current.url, story.home.token);
    await story.feed(() => current.url);
    const { incident, approval } = await askedFor(api, story.alert());

    await current.kill();
    current = await serving(story.home);
    expect((await api.approvals()).map(({ id }) => id)).toEqual([approval.id]);
    // Alertmanager repeats itself, and the restart has forgotten nothing.
    const repeated = await api.send('POST', '/gateway/alertmanager', story.alert());
    expect(repeated.body).toMatchObject({ alerts: [{ outcome: 'known', incident: incident.id }] });

    expect((await api.approve(approval.id)).status).toBe(200);
    // And once more, wherever the flow is at this moment.
    await current.kill();
    current = await serving(story.home);
    const closed = await reached(api, incident.id, 'recovered');
    expect(Object.keys((await story.registry()).applied)).toEqual([closed.execution?.key]);
    expect((await story.registry()).history).toHaveLength(2);
    expect(await api.incidents()).toHaveLength(1);
    expect(await current.stop()).toBe(0);
  }, 60_000);

  it('is taken back when its alerts go away', async () => {
    const story = await servedStory();
    const { api } = story;
    const { incident, approval } = await story.asked();
    await api.send('POST', '/gateway/alertmanager', story.alert({ resolved: true }));
    expect(await reached(api, incident.id, 'resolved')).toMatchObject({ firing: 0 });
    expect((await api.approve(approval.id)).status).toBe(409);
    const { facts } = await api.incident(incident.id);
    expect(facts.map(({ type }) => type)).not.toContain('approval.granted');
    expect((await story.registry()).applied).toEqual({});
  }, 40_000);

  it('is taken back when somebody closes the incident', async () => {
    const story = await servedStory();
    const { api } = story;
    const { incident, approval } = await story.asked();
    const close = () => api.send('POST', `/api/incidents/${incident.id}/close`, { why: 'a drill' });
    expect((await close()).status).toBe(200);
    await api.until('the request is gone', async () => (await api.approvals()).length === 0 || undefined);
    expect((await api.approve(approval.id)).status).toBe(409);
    expect((await close()).status).toBe(409);
    const lesson = await api.until('the end of the flow', async () => {
      const { incident: now } = await api.incident(incident.id);
      return now.lesson && now;
    });
    expect(lesson.state).toBe('closed');
    const { facts } = await api.incident(incident.id);
    expect(facts.filter(({ type }) => type === 'incident.closed')).toHaveLength(1);
    expect((await story.registry()).applied).toEqual({});
  }, 40_000);
});

describe('what a process wrote down and did not live to pass on', () => {
  it('is found by the next one: an agreement', async () => {
    const story = await servedStory();
    const { incident, approval } = await story.asked();
    const gate = await story.host.gate();
    await gate.decide(approval.id, { granted: true, scope: 'once', by: { channel: 'token', user: 'token' } });
    await serving(story.home);
    await reached(story.api, incident.id, 'recovered');
    expect(Object.keys((await story.registry()).applied)).toHaveLength(1);
  }, 40_000);

  it('is found by the next one: a closing', async () => {
    const story = await servedStory();
    const { incident } = await story.asked();
    const at = Date.now();
    const closed = { state: 'closed', closedAt: at } as const;
    await story.served.incidents.store.record(incident.id, { key: 'closed', facts: [], patch: closed }, at);
    await serving(story.home);
    await story.api.until(
      'the request is gone',
      async () => !(await story.api.approvals()).length || undefined,
    );
    expect((await story.registry()).applied).toEqual({});
  }, 40_000);
});

describe('two processes that serve one home', () => {
  it('take an alert in once and run its incident once', async () => {
    // This process is one of them: the command would not serve a home a second time.
    const story = await servedStory();
    const other = await serving(story.home);
    const first = story.api;
    const second = incidentApi(() => other.url, story.home.token);
    // Two Alertmanagers that each tell both.
    const told = await Promise.all(
      [first, second, first, second].map((api) => api.send('POST', '/gateway/alertmanager', story.alert())),
    );
    expect(told.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const approval = await first.until('a request', async () => (await first.approvals())[0]);
    const answers = await Promise.all([first, second].map((api) => api.approve(approval.id)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
    const closed = await reached(second, approval.incident, 'recovered');

    expect(await first.incidents()).toHaveLength(1);
    expect(Object.keys((await story.registry()).applied)).toEqual([closed.execution?.key]);
    const { facts, alerts } = await first.incident(approval.incident);
    expect(alerts).toHaveLength(1);
    for (const once of ['incident.created', 'approval.requested', 'execution.started', 'execution.finished'])
      expect([once, facts.filter(({ type }) => type === once).length]).toEqual([once, 1]);
    expect((await story.registry()).services[SERVICE]?.canary).toBeNull();
  }, 60_000);
});
