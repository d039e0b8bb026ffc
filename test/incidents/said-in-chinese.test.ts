import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { postMortem, verdictLines } from '#engines/aiops';
import { freePort } from '#kit/free-port';
import type { Incident } from '#spec/data';
import { type HomeContent, PERSON } from '#testkit/incident-home';
import { reached, SERVICE, type ServedStory, servedStory } from './failing-service.ts';

const MAIN = join(import.meta.dirname, '..', '..', 'src', 'cli', 'main.ts');
const CHINESE = /[一-鿿]/;
/** Four English words after each other are a sentence. */
const SENTENCE = /\b[A-Za-z']{1,}(?:[ ,:;]+[A-Za-z']{1,}){3,}/;
/** What others wrote, and what people type: these are shown as they are. */
const QUOTED = [
  `HighErrorRate of ${SERVICE}`,
  'a new client of the card gateway',
  /hermes [\w -]+/,
  /rollback_canary [\w=. -]+/,
  /`[^`]*`/,
  /"[^"]*"/,
  /^[ +@-].*$/,
];

const isEnglishOnly = (line: string): boolean => {
  const own = QUOTED.reduce<string>((text, quote) => text.replaceAll(globally(quote), ''), line);
  return SENTENCE.test(own) && !CHINESE.test(own);
};
const globally = (quote: string | RegExp) => (typeof quote === 'string' ? quote : new RegExp(quote, 'gm'));

/** Fields that hold no sentence of ours: what others wrote, queries, commands, states and hashes. */
const DATA = new Set([
  'title',
  'labels',
  'annotations',
  'alert',
  'query',
  'link',
  'diff',
  'preview',
  'state',
  'shown',
  'input',
  'changes',
]);

/** Everything in an answer that is said in English alone, with its place. */
function englishIn(value: unknown, at = ''): string[] {
  if (typeof value === 'string') return isEnglishOnly(value) ? [`${at}: ${value}`] : [];
  if (typeof value !== 'object' || value === null) return [];
  if ('en' in value && 'zh' in value)
    return CHINESE.test(String(value.zh)) || !/[a-z]{2}/i.test(String(value.zh))
      ? []
      : [`${at}: ${String(value.zh)}`];
  return Object.entries(value).flatMap(([key, field]) =>
    DATA.has(key) ? [] : englishIn(field, `${at}.${key}`),
  );
}

/** No page, card, report or terminal shows an English sentence about this incident. */
async function expectChinese({ api, home }: ServedStory, id: string): Promise<Incident> {
  const { incident, facts, alerts, members } = await api.incident(id);
  const pages = ['/api/incidents?limit=50', '/api/approvals', '/api/requests', '/api/monitoring'];
  const answers = await Promise.all(
    pages.map(async (path) => [path, (await api.send('GET', path)).body] as const),
  );
  expect(englishIn(Object.fromEntries(answers))).toEqual([]);
  expect(englishIn({ incident, facts, members })).toEqual([]);
  const report = postMortem({ incident, facts, alerts, members, results: {}, language: 'zh' }).markdown;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [MAIN, 'incident', 'show', id, '--timeline'],
    {
      env: home.env,
    },
  );
  const texts = { report, card: verdictLines(incident, 'zh').join('\n'), terminal: stdout };
  for (const [name, text] of Object.entries(texts)) {
    expect(text, name).toMatch(CHINESE);
    expect([name, text.split('\n').filter(isEnglishOnly)]).toEqual([name, []]);
  }
  return incident;
}

const ONCE = { recheck_seconds: [60] };
const chinese = (more: HomeContent = {}, fed = true): Promise<ServedStory> =>
  servedStory({ ...more, config: { language: 'zh', ...more.config } }, fed);
const deny = ({ api }: ServedStory, approval: string) =>
  api.send('POST', `/api/approvals/${approval}/reject`, {}, { authorization: `Bearer ${PERSON.token}` });

describe('a Chinese reader meets no English sentence when an incident', () => {
  it('is concluded and waits, with a backend that is not there, and when its action is denied', async () => {
    const base_url = `http://127.0.0.1:${await freePort()}`;
    const story = await chinese({ incidents: ONCE, telemetry: [{ type: 'loki', base_url }] });
    const { incident, approval } = await story.asked();
    const asked = await expectChinese(story, incident.id);
    expect([asked.state, asked.rca?.status]).toEqual(['awaiting_approval', 'concluded']);
    expect(asked.rca?.missing.map(({ zh }) => zh).join()).toContain('无法连接 Loki');
    expect((await deny(story, approval.id)).status).toBe(200);
    await reached(story.api, incident.id, 'needs_person');
    const denied = await expectChinese(story, incident.id);
    expect(denied.note?.zh).toContain('没有同意');
  }, 90_000);

  it('waits in vain', async () => {
    const story = await chinese({ incidents: { ...ONCE, approval_hours: 0.00025 } });
    const { incident } = await story.asked();
    await reached(story.api, incident.id, 'needs_person');
    const { note } = await expectChinese(story, incident.id);
    expect(note?.zh).toContain('没有人答复');
  }, 90_000);

  it('is refused, because the target has changed', async () => {
    const story = await chinese({ incidents: ONCE });
    const { incident, approval } = await story.asked();
    await story.change((registry) => {
      const service = registry.services[SERVICE];
      if (service) service.canary = { version: 'v2', weight: 100 };
    });
    await story.api.approve(approval.id);
    await reached(story.api, incident.id, 'needs_person');
    const { facts } = await story.api.incident(incident.id);
    expect(facts.map(({ type }) => type)).toContain('execution.refused');
    await expectChinese(story, incident.id);
  }, 90_000);

  it('is acted on, recovers, is closed and leaves lessons', async () => {
    const story = await chinese({ incidents: { confirm_always: true, confirm_word: 'YES_ROLL_BACK' } });
    const { incident, approval } = await story.asked();
    expect((await story.api.approve(approval.id)).status).toBe(403);
    await story.api.approve(approval.id, 'YES_ROLL_BACK');
    await reached(story.api, incident.id, 'recovered');
    await story.api.until('the lesson', async () => (await story.api.incident(incident.id)).incident.lesson);
    const { facts } = await story.api.incident(incident.id);
    expect(facts.map(({ type }) => type)).toEqual(
      expect.arrayContaining([
        'approval.refused',
        'execution.finished',
        'recovery.verified',
        'incident.closed',
      ]),
    );
    await expectChinese(story, incident.id);
  }, 90_000);

  it('is acted on in vain', async () => {
    const story = await chinese({ incidents: { ...ONCE, most_checks: 1, settle_seconds: 4 } });
    const { incident, approval } = await story.asked();
    await story.api.approve(approval.id);
    await reached(story.api, incident.id, 'verifying');
    await story.change((registry) => {
      const service = registry.services[SERVICE];
      if (service) service.canary = { version: 'v2', weight: 50 };
    });
    await story.api.until('it has failed', async () =>
      (await story.api.incident(incident.id)).facts.find(({ type }) => type === 'recovery.failed'),
    );
    const vain = await expectChinese(story, incident.id);
    expect(vain.recovery?.status).toBe('not_recovered');
  }, 90_000);

  it('may only be rehearsed', async () => {
    const story = await chinese({ incidents: { ...ONCE, execute: false } });
    await story.api.send('POST', '/gateway/alertmanager', story.alert());
    const [found] = await story.api.until('an incident', async () => {
      const all = await story.api.incidents(SERVICE);
      return all[0]?.state === 'needs_person' ? all : undefined;
    });
    const { note } = await expectChinese(story, found?.id ?? '');
    expect(note?.zh).toContain('受控执行已关闭');
  }, 90_000);

  it('cannot be explained, and when a person closes it', async () => {
    const story = await chinese({ incidents: ONCE }, false);
    const told = { title: '结账很慢', service: 'nobody-knows', severity: 'P2' };
    const { body } = await story.api.send('POST', '/api/incidents', told);
    const { incident: id } = body as { incident: string };
    await reached(story.api, id, 'watching', 'needs_person');
    const open = await expectChinese(story, id);
    expect(open.rca?.status).toBe('inconclusive');
    await story.api.send('POST', `/api/incidents/${id}/close`, { why: '演练' });
    await reached(story.api, id, 'closed');
    await expectChinese(story, id);
  }, 90_000);
});
