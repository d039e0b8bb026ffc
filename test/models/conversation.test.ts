import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type Message,
  type ModelEvent,
  type ModelRequest,
  PROTOCOL_IDS,
  type ProtocolId,
  type ToolSpec,
} from '#spec/data';
import { type ModelServer, type Script, startModelServer } from '#testkit/model-server';
import { ask, collect, MODELS, modelAt } from './endpoints.ts';

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const TOOLS: ToolSpec[] = [
  {
    name: 'query_metrics',
    description: 'Reads a metric',
    input: { type: 'object', properties: { service: { type: 'string' } } },
  },
  {
    name: 'search_logs',
    description: 'Searches logs',
    input: { type: 'object', properties: { query: { type: 'string' } } },
  },
];

const CALLS = [
  { id: 'call_1', name: 'query_metrics', arguments: { service: 'payment', minutes: 15 } },
  { id: 'call_2', name: 'search_logs', arguments: { query: 'timeout "gateway"', limit: 5 } },
];

const script: Script = {
  rules: [
    {
      when: { afterTool: 'search_logs', turn: 1 },
      reply: { thinking: 'Both point at the pool.', text: 'The pool is exhausted. 连接池耗尽。' },
    },
    {
      when: { contains: 'payments fail', hasImage: true, turn: 0 },
      reply: { thinking: 'Look at both. 🙂 两个都要看', text: 'I will look at both.', toolCalls: CALLS },
    },
  ],
};

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer({ script });
});
beforeEach(() => server.reset());
afterAll(() => server.close());

const opening: ModelRequest = {
  ...ask('Why do payments fail?', { tools: TOOLS, thinking: 'low', cacheTtl: '5m', cacheKey: 'one' }),
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Why do payments fail?' },
        { type: 'image', mediaType: 'image/png', data: PIXEL },
      ],
    },
  ],
};

/** The whole conversation: a question with an image, thinking, two parallel calls, their results, a conclusion. */
async function converse(protocol: ProtocolId) {
  const model = await modelAt(server, protocol);
  const first = await collect(model, opening);
  const results: Message[] = CALLS.map(({ id, name }, index) => ({
    role: 'tool',
    callId: id,
    name,
    content: [{ type: 'text', text: `result ${index}` }],
    isError: false,
  }));
  const messages = [...opening.messages, first.outcome.message, ...results];
  const second = await collect(model, { ...opening, messages });
  return { first, second };
}

/** Events without what is each vendor's own: its name, its counts, its signatures. */
function comparable(events: readonly ModelEvent[]): unknown[] {
  return events.map((event) => {
    if (event.type === 'response.start') return { type: event.type };
    if (event.type !== 'response.end') return event;
    const content = event.message.content.map(({ ...part }) => {
      if ('replay' in part) delete part.replay;
      return part;
    });
    return { type: event.type, status: event.status, stop: event.status === 'done' && event.stop, content };
  });
}

describe('one conversation over four protocols', () => {
  it('gives the same events and the same messages', async () => {
    const runs = await Promise.all(PROTOCOL_IDS.map(converse));
    const [reference] = runs;
    expect(comparable(reference?.first.events ?? [])).toMatchSnapshot('first');
    for (const run of runs) {
      expect(comparable(run.first.events)).toEqual(comparable(reference?.first.events ?? []));
      expect(comparable(run.second.events)).toEqual(comparable(reference?.second.events ?? []));
    }
  });

  it.each(PROTOCOL_IDS)('%s carries text, thinking, both calls and the conclusion', async (protocol) => {
    const { first, second } = await converse(protocol);
    const { outcome } = first;
    expect(outcome).toMatchObject({ status: 'done', stop: 'tool_calls' });
    const [thinking, text, one, two] = outcome.message.content;
    expect(thinking).toMatchObject({ type: 'thinking', text: 'Look at both. 🙂 两个都要看' });
    expect(text).toEqual({ type: 'text', text: 'I will look at both.' });
    expect([one, two]).toMatchObject(CALLS.map(({ id, name }) => ({ type: 'tool_call', id, name })));
    for (const [index, part] of [one, two].entries()) {
      expect(part?.type === 'tool_call' && JSON.parse(part.arguments)).toEqual(CALLS[index]?.arguments);
    }
    expect(outcome.usage.input + outcome.usage.cacheWrite).toBeGreaterThan(0);
    expect(outcome.usage.output).toBeGreaterThan(0);
    expect(second.outcome).toMatchObject({
      status: 'done',
      stop: 'end',
      message: {
        content: [{ type: 'thinking' }, { type: 'text', text: 'The pool is exhausted. 连接池耗尽。' }],
      },
    });
  });

  it.each(PROTOCOL_IDS)(
    '%s reads the shared prefix of the second request from the cache',
    async (protocol) => {
      const { second } = await converse(protocol);
      const { usage } = second.outcome;
      expect(usage.cacheRead).toBeGreaterThan(0);
      expect(usage.cacheRead).toBeGreaterThan(usage.input);
    },
  );

  it('replays signatures to the endpoint that wrote them, and to no other', async () => {
    const { first } = await converse('anthropic_messages');
    const [thinking] = first.outcome.message.content;
    expect(thinking?.type === 'thinking' && thinking.replay).toHaveProperty('signature');
    const sent = server.requests.at(-1)?.body.messages as {
      content: { type: string; signature?: string }[];
    }[];
    expect(sent[1]?.content[0]).toMatchObject({ type: 'thinking', signature: expect.any(String) });

    const elsewhere = await modelAt(server, 'anthropic_messages', { id: 'other' });
    await collect(elsewhere, {
      ...opening,
      thinking: 'off',
      messages: [...opening.messages, first.outcome.message],
    });
    const moved = server.requests.at(-1)?.body.messages as { content: { type: string }[] }[];
    expect(moved[1]?.content.map(({ type }) => type)).toEqual(['text', 'tool_use', 'tool_use']);
  });

  it('asks each vendor for its own model', async () => {
    await Promise.all(PROTOCOL_IDS.map(converse));
    for (const protocol of PROTOCOL_IDS) {
      const request = server.requests.find((seen) => seen.protocol === protocol);
      expect(request?.model).toBe(MODELS[protocol]);
    }
  });
});
