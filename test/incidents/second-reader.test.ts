import { describe, expect, it, onTestFinished } from 'vitest';
import { type ModelServer, type Script, startModelServer } from '#testkit/model-server';
import { SERVICE, servedStory, type ServedStory } from './failing-service.ts';

const QUESTION = 'second reader of a diagnosis';
const QUOTE = 'a new client of the card gateway';

/** The recorded answers of a reader who names this, under whichever letter it stands. */
const naming = (told: string) =>
  [...'ABCDEFUVWXYZ'].map((letter) => ({
    when: { contains: QUESTION, matches: `\\n${letter}\\. ${told}` },
    reply: {
      text: JSON.stringify({
        verdict: letter,
        evidence: ['ev_metric_1'],
        quote: QUOTE,
        query: { kind: 'logs', service: SERVICE },
      }),
    },
  }));

async function readStory(
  rules: Script['rules'],
  incidents: Readonly<Record<string, unknown>> = {},
): Promise<ServedStory & { readonly models: ModelServer }> {
  const models = await startModelServer({ script: { rules, fallback: { text: 'It was the moon.' } } });
  onTestFinished(() => models.close());
  const story = await servedStory({
    incidents,
    config: {
      llm: { provider: 'scripted', model: 'script-1', max_retries: 0 },
      providers: {
        scripted: { base_url: `${models.url}/v1`, api_mode: 'chat_completions', api_key: 'k-123456' },
      },
    },
  });
  return { ...story, models };
}

const questions = ({ requests }: ModelServer) =>
  requests.filter(({ body }) => JSON.stringify(body).includes(QUESTION));

const toldOf = async ({ api }: ServedStory, id: string) =>
  (await api.incident(id)).facts.filter(({ type }) => type === 'rca.read');

describe('a model as the second reader', () => {
  it('agrees: what was to be undone is still asked for, and who reads the incident sees what it quoted', async () => {
    const story = await readStory(naming(`deploy_regression in ${SERVICE} by change dep-1`));
    const { incident } = await story.asked();
    expect(incident.reading).toMatchObject({
      model: 'scripted/script-1',
      outcome: 'answered',
      verdict: { change: 'dep-1' },
      evidence: ['ev_metric_1'],
      quote: QUOTE,
      query: { en: `What do the logs of ${SERVICE} say?` },
    });
    expect(incident.reading?.said.en).toContain('agrees');
    expect(incident.rca?.hypotheses[0]).toMatchObject({ change: 'dep-1', undo: true });
    expect(incident.action?.operation).toBe('rollback_canary');
    expect(questions(story.models)).toHaveLength(2);
    expect(await toldOf(story, incident.id)).toHaveLength(1);
    const report = await story.api.send('GET', `/api/incidents/${incident.id}/report`);
    expect(report.body).toContain(QUOTE);
    expect(report.body).toContain('scripted/script-1');
  }, 60_000);

  it('doubts: nothing is undone, in this round and the next ones, and it is not asked again', async () => {
    const story = await readStory(naming('none of these'));
    const { api } = story;
    await api.send('POST', '/gateway/alertmanager', story.alert());
    const incident = await api.until('a third round', async () => {
      const [first] = await api.incidents(SERVICE);
      return first && first.round >= 3 && first.rca?.hypotheses[0]?.undo === false ? first : undefined;
    });
    expect(incident.reading).toMatchObject({ outcome: 'answered', verdict: { category: 'none' } });
    expect(incident.reading?.said.en).toContain('Undoing dep-1 is left to a person');
    expect(incident.action?.operation).toBe('observe');
    expect(await api.approvals()).toEqual([]);
    expect(questions(story.models)).toHaveLength(2);
    expect(await toldOf(story, incident.id)).toHaveLength(1);
  }, 60_000);

  it('fails: the diagnosis stands, and the record says that nobody answered', async () => {
    const story = await readStory([{ when: { contains: QUESTION }, fault: { kind: 'server_error' } }]);
    const { incident } = await story.asked();
    expect(incident.reading).toMatchObject({ outcome: 'unanswered' });
    expect(incident.reading?.said.en).toContain('did not answer');
    expect(incident.rca?.hypotheses[0]).toMatchObject({ change: 'dep-1', undo: true });
    expect(incident.rca?.hypotheses[0]).not.toHaveProperty('unread');
    expect(incident.action?.operation).toBe('rollback_canary');
    expect(await toldOf(story, incident.id)).toHaveLength(1);
  }, 60_000);

  it('is not asked where that is switched off', async () => {
    const story = await readStory(naming('none of these'), { second_reader: false });
    const { incident } = await story.asked();
    expect(incident).not.toHaveProperty('reading');
    expect(await toldOf(story, incident.id)).toEqual([]);
    expect(questions(story.models)).toEqual([]);
  }, 60_000);
});
