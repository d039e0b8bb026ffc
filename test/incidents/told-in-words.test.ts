import { asText } from '#kit/text';
import { describe, expect, it } from 'vitest';
import { rulesOf } from '#app/incidents';
import type { Host } from '#host';
import { incidentApi, PERSON } from '#testkit/incident-home';
import type { InboxMessage } from '#spec/data';
import { textOf, turn } from '../agent/workplace.ts';
import { reached, SERVICE, type ServedStory, servedStory } from './failing-service.ts';
import { feishuMessage, SECRETS, type SignedRequest, wecomMessage } from './signed-requests.ts';

/** What somebody at the terminal says, and how they answer the question that comes back. */
async function say(host: Host, text: string, answer?: 'yes' | 'no'): Promise<string> {
  const conversation = await host.conversation({ cwd: host.home.root, language: 'en', platform: 'cli' });
  if (answer) conversation.onAsk(async (_question, choices) => choices[answer === 'yes' ? 0 : 1]);
  return textOf(await turn(conversation, text));
}

describe('a rule that is told in words', () => {
  it('is obeyed by the policy once a person has agreed to how it was understood', async () => {
    const story = await servedStory({ incidents: { recheck_seconds: [60] } });
    const { api, host } = story;
    const answer = await say(host, `记住 ${SERVICE} 生产回滚必须审批`, 'yes');
    expect(answer).toContain('已保存到团队记忆');
    const listed = await rulesOf(host, '', 'en');
    expect(listed).toContain(`service: ${SERVICE}`);

    // Whoever opens it is who asks for what follows, and may not agree to it alone.
    await api.send(
      'POST',
      '/api/incidents',
      { title: `HighErrorRate of ${SERVICE}`, service: SERVICE, severity: 'P1' },
      { authorization: `Bearer ${PERSON.token}` },
    );
    const approval = await api.until('a request', async () => (await api.approvals())[0]);
    const refused = await api.approve(approval.id);
    expect(refused.status).toBe(403);
    const { incident } = await api.incident(approval.incident);
    expect(incident.action).toMatchObject({ operation: 'rollback_canary', separateApprover: true });
  }, 60_000);

  it('forbids, and is taken away again', async () => {
    const story = await servedStory({ incidents: { recheck_seconds: [60] } });
    const { api, host } = story;
    await say(host, `Never roll back ${SERVICE}`, 'yes');
    await api.send('POST', '/gateway/alertmanager', story.alert());
    const incident = await api.until('a verdict', async () => {
      const [found] = await (await host.incidents()).store.list({ limit: 1 });
      return found?.action ? found : undefined;
    });
    expect(incident.action?.operation).toBe('observe');
    expect(incident.action?.reason.en).toContain(`Never roll back ${SERVICE}`);

    const [, id = ''] = /`(mem_\w+)`/.exec(await rulesOf(host, '', 'en')) ?? [];
    expect(await rulesOf(host, `remove ${id}`, 'en')).toContain('taken away');
    expect(await rulesOf(host, '', 'en')).toContain('no rule');
  }, 60_000);

  it('holds at once at this machine where nobody can be asked', async () => {
    const { host } = await servedStory();
    expect(await say(host, `Never restart ${SERVICE}`)).toContain('Kept in the memory of the team');
    expect(await rulesOf(host, '', 'en')).toContain(`Never restart ${SERVICE}`);
  }, 60_000);

  it('does not hold where writing has to be agreed to, or somebody said no', async () => {
    const { host } = await servedStory({ config: { memory: { write_approval: true } } });
    expect(await say(host, `Never restart ${SERVICE}`, 'no')).toContain('Nothing is kept');
    const waits = await say(host, `Never restart ${SERVICE}`);
    expect(waits).toContain('does not hold yet');
    expect(await rulesOf(host, '', 'en')).toContain('no rule');
    const [, id = ''] = /memory approve (wr_\w+)/.exec(waits) ?? [];
    const { memory, notebooks, staged } = await host.memory();
    const { approveStaged } = await import('#engines/memory');
    const view = { audience: { source: 'cli', user: '', chat: '' }, shared: false };
    await approveStaged({ memory, notebooks, staged, view, language: 'en' }, id);
    expect(await rulesOf(host, '', 'en')).toContain(`Never restart ${SERVICE}`);
  }, 60_000);
});

describe('what people write in a channel', () => {
  const post = ({ served }: ServedStory, { path, body, headers }: SignedRequest) =>
    incidentApi(() => served.url, undefined).send('POST', path, body, headers);

  it('is never dropped: trouble opens an incident, everything stands in the inbox', async () => {
    const story = await servedStory({ env: SECRETS });
    const { api, host } = story;
    const inbox = async () => (await api.send('GET', '/api/inbox')).body as InboxMessage[];

    expect((await post(story, feishuMessage('@RunbookHermes order-service 429 限流了,P2'))).status).toBe(200);
    const [opened] = await inbox();
    expect(opened).toMatchObject({ source: 'feishu', user: 'ou_operator', state: 'waiting' });
    const { incident } = await api.incident(opened?.incident ?? '');
    expect(incident).toMatchObject({ service: 'order-service', severity: 'P2' });

    await post(story, feishuMessage('order-service 为什么限流?'));
    await reached(api, incident.id, 'watching', 'needs_person', 'investigating');
    const { facts } = await api.incident(incident.id);
    expect(facts.filter(({ type }) => type === 'incident.updated').map(({ data }) => data)).toContainEqual({
      what: asText('feishu:ou_operator: order-service 为什么限流?'),
    });

    await post(story, wecomMessage('谁今晚值班?'));
    expect((await inbox()).map(({ text }) => text)).toEqual([
      '谁今晚值班?',
      'order-service 为什么限流?',
      '@RunbookHermes order-service 429 限流了,P2',
    ]);
    const [kept] = await inbox();
    expect(kept).not.toHaveProperty('incident');
    await (await host.incidents()).inbox.answered(kept?.id ?? '');
    expect(await inbox()).toHaveLength(2);
  }, 60_000);

  it('is kept without credentials, and once', async () => {
    const story = await servedStory({ env: SECRETS });
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const again = { id: 'the same' };
    expect((await post(story, feishuMessage(`the token is ${secret}`, again))).status).toBe(200);
    expect((await post(story, feishuMessage(`the token is ${secret}`, again))).status).toBe(409);
    const { inbox } = await story.host.incidents();
    const kept = await inbox.list({ limit: 10 });
    expect(kept).toHaveLength(1);
    expect(JSON.stringify(kept)).not.toContain(secret);
  }, 40_000);
});
