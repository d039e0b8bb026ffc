import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fail } from '#kit/app-error';
import type { AgentEvent } from '#spec/data';
import { defineTool } from '#spec/ports';
import { memoryStores } from '#support/engines/session/memory-stores';
import { lines, openCalls, scriptedTalk } from '#support/engines/session/scripted-conversation';

const history = async ({ talk }: Awaited<ReturnType<typeof scriptedTalk>>) =>
  (await talk.messages()).map(({ message }) => message);

const ended = (events: readonly AgentEvent[]) => events.find(({ type }) => type === 'turn.ended')?.data;

const big = defineTool({
  name: 'big',
  toolset: 'test',
  description: 'Gives much.',
  input: z.strictObject({ n: z.int() }),
  effect: () => 0,
  run: async ({ n }) => ({ content: [{ type: 'text', text: `${n} ${'x'.repeat(8_000)}` }], summary: '' }),
});

describe('a message', () => {
  it('is stored with its answer, named, and told as facts', async () => {
    const talk = await scriptedTalk(['hello']);
    const { events, result } = await talk.send('why is checkout slow?\nlook at the pool');
    expect(result).toEqual({ status: 'done', calls: 1, leftover: [] });
    expect(lines(await history(talk))).toEqual([
      'user why is checkout slow?\nlook at the pool',
      'assistant hello',
    ]);
    expect(talk.talk.session).toMatchObject({
      title: 'why is checkout slow?',
      model: 'script/script-1',
      messages: 2,
      cost: 0.01,
    });
    expect(talk.talk.context).toEqual({ used: 150, window: 20_000 });
    const facts = await talk.stores.factsOf(talk.talk.session.id);
    expect(facts.map(({ type }) => type)).toEqual([
      'message.added',
      'turn.started',
      'message.added',
      'usage.recorded',
      'turn.ended',
    ]);
    const told = events.filter(({ type }) => facts.some((fact) => fact.type === type));
    expect(told.map(({ seq, type, data }) => ({ seq, type, data }))).toEqual(facts);
    expect(talk.over).toEqual([talk.talk.session.id]);
  });

  it('is titled by its first line, cut to sixty characters', async () => {
    const talk = await scriptedTalk([]);
    await talk.send(`${'long '.repeat(30)}`);
    expect(talk.talk.session.title).toHaveLength(60);
    await talk.send('another');
    expect(talk.talk.session.title).toMatch(/^long .*…$/);
  });

  it('numbers live events by the fact before them', async () => {
    const talk = await scriptedTalk([[['todo', {}]], 'done']);
    const { events } = await talk.send('go');
    const seqs = events.map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
    expect(new Set(seqs)).toEqual(new Set(seqs.map((_, i) => i + 1).slice(0, Math.max(...seqs))));
  });

  it('brings along what it refers to, and says it in the title and facts as it was written', async () => {
    const talk = await scriptedTalk(['ok']);
    const { events } = await talk.send('read @notes.txt');
    expect(JSON.stringify(talk.model.requests[0]?.messages)).toContain('pool size 20');
    expect(events.find(({ type }) => type === 'turn.started')?.data).toEqual({
      turn: 1,
      text: 'read @notes.txt',
    });
  });

  it('sends the same prefix in every request and only freezes it once', async () => {
    let frozen = 0;
    const talk = await scriptedTalk([], {
      freeze: async (_, set) => ({
        prefix: { system: [{ text: `v${++frozen}` }], tools: set.specs },
        notices: ['n'],
      }),
    });
    const first = await talk.send('one');
    talk.talk.onAsk(async () => 'yes');
    await talk.send('two');
    const prefixes = talk.model.requests.map(({ system, tools }) => JSON.stringify({ system, tools }));
    expect(new Set(prefixes).size).toBe(1);
    expect(frozen).toBe(1);
    expect(first.events).toContainEqual(expect.objectContaining({ type: 'notice', data: { text: 'n' } }));
  });
});

describe('a turn that goes wrong', () => {
  it('before it began is told and stores nothing', async () => {
    const talk = await scriptedTalk([], {
      modelFor: () => Promise.reject(fail('model.unconfigured', 'no such model')),
    });
    const { events, result } = await talk.send('hi');
    expect(result).toMatchObject({ status: 'failed' });
    expect(ended(events)).toMatchObject({ status: 'failed', error: { code: 'model.unconfigured' } });
    expect(talk.stores.rows.size).toBe(0);
  });

  it('at the model keeps the message and tells the error', async () => {
    const talk = await scriptedTalk([{ fail: 'model.billing' }, 'back']);
    expect(ended((await talk.send('hi')).events)).toMatchObject({
      status: 'failed',
      error: { code: 'model.billing' },
    });
    expect((await talk.send('again')).result.status).toBe('done');
    expect(lines(await history(talk))).toEqual(['user hi', 'user again', 'assistant back']);
  });

  it('at the store leaves no call open', async () => {
    const stores = memoryStores();
    let left = 1;
    const broken = {
      ...stores,
      transcript: {
        ...stores.transcript,
        append: async (...[id, entries, facts]: Parameters<typeof stores.transcript.append>) => {
          if (entries[0]?.message.role === 'tool' && left-- > 0)
            throw fail('store.busy', 'the store is busy');
          return stores.transcript.append(id, entries, facts);
        },
      },
    };
    const talk = await scriptedTalk(
      [
        [
          ['big', { n: 1 }],
          ['big', { n: 2 }],
          ['todo', {}],
        ],
        'on we go',
      ],
      {
        stores: broken,
        tools: [big],
      },
    );
    expect(ended((await talk.send('hi')).events)).toMatchObject({
      status: 'failed',
      error: { code: 'store.busy' },
    });
    expect(openCalls(await history(talk))).toEqual([]);
    await talk.send('go on');
    expect(openCalls(talk.model.requests[1]?.messages ?? [])).toEqual([]);
  });
});

describe('a conversation that fills the window', () => {
  const rounds = Array.from({ length: 12 }, (_, i) => [['big', { n: i }]] as const);

  it('is compacted within a turn, and nothing is lost', async () => {
    const talk = await scriptedTalk([...rounds, 'all read'], { tools: [big], info: { protocol: 'local' } });
    const { events, result } = await talk.send('read everything');
    expect(result.status).toBe('done');
    const done = events.filter(({ type }) => type === 'context.compacted');
    expect(done.length).toBeGreaterThan(0);
    const active = await history(talk);
    expect(openCalls(active)).toEqual([]);
    expect(lines(active)[0]).toBe('user read everything');
    for (const { messages } of talk.model.requests) {
      expect(openCalls(messages)).toEqual([]);
      expect(JSON.stringify(messages).length).toBeLessThan(70_000);
    }
    const all = talk.stores.all(talk.talk.session.id);
    for (let i = 0; i < 12; i++)
      expect(all.some(({ message }) => JSON.stringify(message).includes(`"${i} xxx`))).toBe(true);
  });

  it('keeps its plan in the digest', async () => {
    const plan = {
      items: [
        { text: 'check the pool', state: 'active' },
        { text: 'old', state: 'done' },
      ],
    };
    const talk = await scriptedTalk(
      [[['todo', plan]], ...Array.from({ length: 40 }, (_, i) => `answer ${i}`)],
      {
        info: { protocol: 'local' },
      },
    );
    for (let i = 0; i < 30; i++) await talk.send(`question ${i} ${'q'.repeat(2_000)}`);
    const digest = (await talk.talk.messages()).find(({ kind }) => kind === 'digest');
    expect(JSON.stringify(digest)).toContain('Open steps of the plan:\\n- check the pool');
    expect(JSON.stringify(digest)).not.toContain('- old');
  });

  it('is summarised by the model where there is one', async () => {
    const answers = Array.from({ length: 8 }, (_, i) => `answer ${i}`);
    const talk = await scriptedTalk([...answers, { fail: 'model.context_overflow' }, 'Goal: all', 'fits'], {
      info: { contextWindow: 400_000 },
    });
    for (let i = 0; i < 8; i++) await talk.send(`question ${i} ${'q'.repeat(3_000)}`);
    const { events, result } = await talk.send('the last one');
    expect(result).toMatchObject({ status: 'done', calls: 2 });
    expect(events.find(({ type }) => type === 'context.compacted')?.data).toMatchObject({
      how: 'summarised',
    });
    const sent = lines(talk.model.requests.at(-1)?.messages ?? []);
    expect(sent.filter((line) => line.includes('Goal: all'))).toHaveLength(1);
    expect(sent.at(-1)).toBe('user the last one');
    expect(sent.length).toBeLessThan(12);
  });
});
