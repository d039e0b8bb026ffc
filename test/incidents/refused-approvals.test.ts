import { describe, expect, it } from 'vitest';
import { incidentApi, PERSON } from '#testkit/incident-home';
import { reached, SERVICE, type ServedStory, servedStory } from './failing-service.ts';
import { feishuCard, SECRETS, type SignedRequest } from './signed-requests.ts';

/** What came of a request, and the kinds and reasons that it left in the audit log. */
async function sent({ host }: ServedStory, work: () => Promise<{ readonly status: number }>) {
  const { audit } = await host.gate();
  const before = (await audit.last(1))[0]?.seq ?? 0;
  const { status } = await work();
  const lines = await audit.read(before, 10);
  return {
    status,
    audit: lines.map(({ kind, data }) => `${kind}: ${(data['reason'] as string | undefined) ?? ''}`),
  };
}

/** No execution, and the service as it was. */
async function expectUntouched(story: ServedStory, incident: string): Promise<void> {
  const { facts } = await story.api.incident(incident);
  expect(facts.map(({ type }) => type)).not.toContain('execution.started');
  const { services, applied } = await story.registry();
  expect(services[SERVICE]?.canary).toMatchObject({ version: 'v2' });
  expect(applied).toEqual({});
}

describe('an agreement', () => {
  it('counts only from whom the gate knows, with the word that it asks for', async () => {
    const story = await servedStory({
      env: SECRETS,
      incidents: { confirm_always: true, confirm_word: 'YES_ROLL_BACK' },
      config: { gate: { approvers: ['user:pat', 'token:token', 'feishu:ou_approver'] } },
    });
    const { api, home, served } = story;
    const { incident, approval } = await story.asked();
    const path = `/api/approvals/${approval.id}/approve`;
    const stranger = incidentApi(() => served.url, undefined);
    const viewer = incidentApi(() => served.url, home.readOnlyToken);
    const press = ({ path: to, body, headers }: SignedRequest) => stranger.send('POST', to, body, headers);
    const word = 'YES_ROLL_BACK';

    expect(await sent(story, () => stranger.send('POST', path, { confirmation: word }))).toEqual({
      status: 401,
      audit: ['approval.refused: This needs a token.'],
    });
    expect(await sent(story, () => viewer.send('POST', path, { confirmation: word }))).toEqual({
      status: 403,
      audit: ["approval.refused: The role 'viewer' may not do this."],
    });
    // Whatever can read the home has this one.
    expect(await sent(story, () => api.send('POST', path, { confirmation: word }))).toEqual({
      status: 403,
      audit: [expect.stringMatching(/^approval\.refused: Only a person can do this/)],
    });
    const unconfirmed = {
      status: 403,
      audit: [`approval.refused: It has to be confirmed with the word ${word}.`],
    };
    expect(await sent(story, () => api.approve(approval.id))).toEqual(unconfirmed);
    expect(await sent(story, () => api.approve(approval.id, 'yes_roll_back'))).toEqual(unconfirmed);
    expect(await sent(story, () => press(feishuCard(approval.id, 'ou_somebody', {}, word)))).toEqual({
      status: 403,
      audit: ['approval.refused: ou_somebody may not agree to this.'],
    });
    expect(
      await sent(story, () => press(feishuCard(approval.id, 'ou_approver', { secret: 'forged' }, word))),
    ).toMatchObject({ status: 401, audit: [expect.stringContaining('webhook.refused')] });
    expect((await api.approve('apr_000000000000', word)).status).toBe(404);
    await expectUntouched(story, incident.id);

    // The right one is let through, and once only.
    const good = feishuCard(approval.id, 'ou_approver', {}, word);
    expect(await sent(story, () => press(good))).toMatchObject({
      status: 200,
      audit: [expect.stringContaining('approval.granted')],
    });
    expect(await sent(story, () => api.approve(approval.id, word))).toMatchObject({
      status: 409,
      audit: expect.arrayContaining([expect.stringContaining('approval.refused')]) as unknown,
    });
    await reached(api, incident.id, 'recovered');
    const { facts } = await api.incident(incident.id);
    expect(facts.find(({ type }) => type === 'approval.granted')?.data).toMatchObject({
      by: 'ou_approver',
      channel: 'feishu',
    });
    expect(facts.filter(({ type }) => type === 'approval.refused')).toHaveLength(4);
    expect(Object.keys((await story.registry()).applied)).toHaveLength(1);
  }, 60_000);

  it.each([
    'opened the incident by hand, where a rule says so',
    'sent its alert with a token, where a rule says so',
    'sent its alert with a token, where the gate says so',
  ])(
    'does not count from whoever %s',
    async (who) => {
      const rule = { id: 'four-eyes', text: 'Somebody else has to agree', effect: 'separate_approver' };
      const home = who.includes('a rule')
        ? { rules: [rule] }
        : { config: { gate: { separate_approver: true } } };
      const story = await servedStory(home);
      const { api } = story;
      const person = { authorization: `Bearer ${PERSON.token}` };
      if (who.includes('token')) await api.send('POST', '/gateway/alertmanager', story.alert(), person);
      else {
        const told = { title: `HighErrorRate of ${SERVICE}`, service: SERVICE, severity: 'P1' };
        await api.send('POST', '/api/incidents', told, person);
      }
      const approval = await api.until('a request', async () => (await api.approvals())[0]);
      expect(await sent(story, () => api.approve(approval.id))).toEqual({
        status: 403,
        audit: ['approval.refused: Somebody else than who asked for it has to agree.'],
      });
      await expectUntouched(story, approval.incident);
    },
    40_000,
  );

  it('comes too late when the request has expired', async () => {
    // A little less than a second.
    const story = await servedStory({ incidents: { approval_hours: 0.00025, recheck_seconds: [60] } });
    const { api } = story;
    const { incident, approval } = await story.asked();
    await reached(api, incident.id, 'needs_person');
    expect(await sent(story, () => api.approve(approval.id))).toEqual({
      status: 409,
      audit: [expect.stringMatching(/^approval\.refused: Request apr_\w+ is no longer open: it was expired/)],
    });
    const { facts } = await api.incident(incident.id);
    expect(facts.map(({ type }) => type)).toContain('approval.expired');
    await expectUntouched(story, incident.id);
  }, 40_000);

  it('to something else than what would happen now is not carried out', async () => {
    const story = await servedStory({ incidents: { recheck_seconds: [60] } });
    const { api, host } = story;
    const { incident, approval } = await story.asked();
    await story.change((registry) => {
      const service = registry.services[SERVICE];
      if (service) service.canary = { version: 'v2', weight: 100 };
    });
    expect((await api.approve(approval.id)).status).toBe(200);
    const stopped = await reached(api, incident.id, 'needs_person');
    expect(stopped.note?.en).toContain('It was not carried out');
    const { facts } = await api.incident(incident.id);
    expect(facts.map(({ type }) => type)).toContain('execution.refused');
    const lines = await (await host.gate()).audit.last(5);
    expect(lines.map(({ kind }) => kind)).toContain('execution.refused');
    await expectUntouched(story, incident.id);
    // The agreement is used up for nothing else.
    expect((await api.approve(approval.id)).status).toBe(409);
  }, 40_000);
});
