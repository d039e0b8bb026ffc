import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { isStepCount, jsonSchema, streamText, tool } from 'ai';
import OpenAI, {
  APIError,
  APIUserAbortError,
  AuthenticationError,
  BadRequestError,
  NotFoundError,
} from 'openai';
import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions';
import type { FunctionTool } from 'openai/resources/responses/responses';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ScriptedApi, scriptedApi, sentBody } from '../test/support/server/scripted-api.ts';
import { type ModelServer, startModelServer } from '../testkit/model-server/index.ts';

/** A conversation in which the model uses a tool of ours, then one of the client, and then answers. */
const SCRIPT = {
  rules: [
    { when: { afterTool: 'get_weather' }, reply: { text: 'Bring an umbrella.', chunk: 5 } },
    {
      when: { afterTool: 'read_file' },
      reply: {
        text: 'The pool has 20. Now the weather.',
        chunk: 6,
        toolCalls: [{ name: 'get_weather', arguments: { city: 'Rome' } }],
      },
    },
    {
      when: { contains: 'weather', turn: 0 },
      reply: {
        text: 'First the notes.',
        chunk: 4,
        toolCalls: [{ name: 'read_file', arguments: { path: 'notes.txt' } }],
      },
    },
  ],
  fallback: { text: 'Done.' },
};
/** What both answers before the weather add up to. */
const BEFORE = 'First the notes.\n\nThe pool has 20. Now the weather.';
const QUESTION = 'How large is the pool, and how is the weather?';
const PARAMETERS = {
  type: 'object' as const,
  properties: { city: { type: 'string' as const } },
  required: ['city'],
  additionalProperties: false,
};
const DESCRIPTION = 'The weather of a city.';

let model: ModelServer;
let api: ScriptedApi;
let client: OpenAI;
beforeAll(async () => {
  model = await startModelServer({ script: SCRIPT });
});
afterAll(() => model.close());
beforeEach(async () => {
  model.reset();
  model.script(SCRIPT);
  api = await scriptedApi(model.url);
  client = new OpenAI({ apiKey: api.token, baseURL: `${api.url}/v1`, maxRetries: 0 });
});
afterEach(() => api.close());

/** Our tool ran here, and the model was told what it found and what the client found. */
function expectBothResults(): void {
  const { messages } = sentBody(model);
  const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content));
  expect(results).toEqual([expect.stringContaining('pool size 20'), 'rain, 12 °C']);
}

describe('the openai client, over chat completions', () => {
  const tools: ChatCompletionTool[] = [
    {
      type: 'function',
      function: { name: 'get_weather', description: DESCRIPTION, parameters: PARAMETERS },
    },
  ];
  const opening: ChatCompletionMessageParam[] = [{ role: 'user', content: QUESTION }];

  it('streams a conversation that uses tools on both sides', async () => {
    const first = client.chat.completions.stream({
      model: 'hermes',
      messages: opening,
      tools,
      stream_options: { include_usage: true },
    });
    const deltas: string[] = [];
    first.on('content', (delta) => deltas.push(delta));
    const { choices, usage } = await first.finalChatCompletion();
    expect(deltas.length).toBeGreaterThan(2);
    expect(deltas.join('')).toBe(BEFORE);
    expect(choices[0]?.finish_reason).toBe('tool_calls');
    expect(usage?.total_tokens).toBeGreaterThan(0);
    const message = choices[0]?.message as ChatCompletionMessageParam & { tool_calls: { id: string }[] };
    expect(message.tool_calls).toMatchObject([
      { type: 'function', function: { name: 'get_weather', arguments: '{"city":"Rome"}' } },
    ]);

    const result: ChatCompletionMessageParam = {
      role: 'tool',
      tool_call_id: message.tool_calls[0]?.id ?? '',
      content: 'rain, 12 °C',
    };
    const second = client.chat.completions.stream({
      model: 'hermes',
      messages: [...opening, message, result],
      tools,
    });
    expect(await second.finalContent()).toBe('Bring an umbrella.');
    expectBothResults();
  });

  it('runs the tools of the client by itself', async () => {
    const asked: unknown[] = [];
    const runner = client.chat.completions.runTools({
      model: 'hermes',
      stream: true,
      messages: opening,
      tools: [
        {
          type: 'function',
          function: {
            name: 'get_weather',
            description: DESCRIPTION,
            parameters: PARAMETERS,
            parse: JSON.parse as (text: string) => { city: string },
            function: (input: { city: string }) => {
              asked.push(input);
              return 'rain, 12 °C';
            },
          },
        },
      ],
    });
    expect(await runner.finalContent()).toBe('Bring an umbrella.');
    expect(asked).toEqual([{ city: 'Rome' }]);
    expectBothResults();
  });

  it('answers without streaming, and lists its models', async () => {
    const { choices } = await client.chat.completions.create({
      model: 'hermes',
      messages: [{ role: 'user', content: 'hi' }],
    });
    expect(choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'Done.' } });
    const { data } = await client.models.list();
    expect(data.map(({ id }) => id)).toEqual(['hermes', 'hermes/scripted/script-1']);
  });

  it('raises the typed errors of that client, also in the middle of a stream', async () => {
    const ask = (name: string, more: object = {}) =>
      client.chat.completions.create({ model: name, messages: opening, ...more });
    const stranger = new OpenAI({ apiKey: 'sk-nobody-knows-this', baseURL: `${api.url}/v1`, maxRetries: 0 });
    await expect(stranger.models.list()).rejects.toBeInstanceOf(AuthenticationError);
    await expect(stranger.models.list()).rejects.toMatchObject({ code: 'invalid_api_key' });
    await expect(ask('gpt-none')).rejects.toBeInstanceOf(NotFoundError);
    await expect(ask('gpt-none')).rejects.toMatchObject({ code: 'model_not_found' });
    await expect(ask('hermes', { temperature: 9 })).rejects.toBeInstanceOf(BadRequestError);
    await expect(ask('hermes', { temperature: 9 })).rejects.toMatchObject({ param: 'temperature' });
    model.script({ rules: [], fallback: { text: 'one two three four', chunk: 3 } });
    model.plan([{ kind: 'cut', afterFrames: 3, times: 9 }]);
    const stream = client.chat.completions.stream({ model: 'hermes', messages: opening });
    await expect(stream.finalContent()).rejects.toBeInstanceOf(APIError);
  });

  it('can be stopped', async () => {
    model.script({ rules: [], fallback: { text: 'x'.repeat(200), chunk: 1, delayMs: 50 } });
    const stream = client.chat.completions.stream({ model: 'hermes', messages: opening });
    stream.once('content', () => stream.abort());
    await expect(stream.finalContent()).rejects.toBeInstanceOf(APIUserAbortError);
  });
});

describe('the openai client, over responses', () => {
  const tools: FunctionTool[] = [
    {
      type: 'function',
      name: 'get_weather',
      description: DESCRIPTION,
      parameters: PARAMETERS,
      strict: false,
    },
  ];

  it('streams a conversation that uses tools on both sides', async () => {
    const stream = client.responses.stream({ model: 'hermes', input: QUESTION, tools });
    const deltas: string[] = [];
    stream.on('response.output_text.delta', ({ delta }) => deltas.push(delta));
    const first = await stream.finalResponse();
    expect(deltas.join('')).toBe(BEFORE);
    expect(first.output_text).toBe(BEFORE);
    expect(first.output.map(({ type }) => type)).toEqual(['message', 'function_call']);
    const call = first.output.find((item) => item.type === 'function_call');
    expect(call).toMatchObject({ name: 'get_weather', arguments: '{"city":"Rome"}' });

    const second = await client.responses
      .stream({
        model: 'hermes',
        previous_response_id: first.id,
        input: [{ type: 'function_call_output', call_id: call?.call_id ?? '', output: 'rain, 12 °C' }],
        tools,
      })
      .finalResponse();
    expect(second.output_text).toBe('Bring an umbrella.');
    expect(second.status).toBe('completed');
    expectBothResults();
  });

  it('answers without streaming, and goes on from there', async () => {
    const first = await client.responses.create({ model: 'hermes', input: 'hi' });
    expect(first.output_text).toBe('Done.');
    const second = await client.responses.create({
      model: 'hermes',
      input: 'again',
      previous_response_id: first.id,
    });
    expect(second.previous_response_id).toBe(first.id);
    const { messages } = sentBody(model);
    expect(messages).toHaveLength(4);
  });

  it('reads, cancels and deletes what is kept', async () => {
    const first = await client.responses.create({ model: 'hermes', input: 'hi' });
    const second = await client.responses.create({
      model: 'hermes',
      input: 'again',
      previous_response_id: first.id,
    });
    const kept = await client.responses.retrieve(second.id);
    expect(kept).toMatchObject({ id: second.id, status: 'completed', previous_response_id: first.id });
    expect(kept.output).toEqual(second.output);
    expect(kept.output_text).toBe('Done.');
    const items = [];
    for await (const item of client.responses.inputItems.list(second.id, { limit: 1 })) items.push(item);
    expect(items).toMatchObject([{ type: 'message', role: 'user', content: [{ text: 'again' }] }]);
    expect((await client.responses.cancel(second.id)).status).toBe('completed');
    await client.responses.delete(second.id);
    await expect(client.responses.retrieve(second.id)).rejects.toBeInstanceOf(NotFoundError);
    expect((await client.responses.retrieve(first.id)).status).toBe('completed');
  });

  it('cancels one that is being answered', async () => {
    model.script({ rules: [], fallback: { text: 'x'.repeat(400), chunk: 1, delayMs: 50 } });
    const stream = client.responses.stream({ model: 'hermes', input: 'tell' });
    const id = await new Promise<string>((resolve) => {
      stream.on('response.created', ({ response }) => resolve(response.id));
    });
    const [cancelled] = await Promise.all([
      client.responses.cancel(id),
      stream.done().catch(() => undefined),
    ]);
    expect(cancelled.status).toBe('cancelled');
  });
});

describe('the Vercel AI SDK', () => {
  it('streams a conversation that uses tools on both sides', async () => {
    const asked: unknown[] = [];
    const hermes = createOpenAICompatible({
      name: 'hermes',
      baseURL: `${api.url}/v1`,
      apiKey: api.token,
      includeUsage: true,
    });
    const result = streamText({
      model: hermes('hermes'),
      prompt: QUESTION,
      maxRetries: 0,
      stopWhen: isStepCount(4),
      tools: {
        get_weather: tool({
          description: DESCRIPTION,
          inputSchema: jsonSchema(PARAMETERS),
          execute: async (input: unknown) => {
            asked.push(input);
            return 'rain, 12 °C';
          },
        }),
      },
    });
    const deltas: string[] = [];
    for await (const delta of result.textStream) deltas.push(delta);
    expect(deltas.length).toBeGreaterThan(4);
    expect(deltas.join('')).toBe(`${BEFORE}Bring an umbrella.`);
    expect(asked).toEqual([{ city: 'Rome' }]);
    const steps = await result.steps;
    expect(steps.map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop']);
    expect(steps.every(({ usage }) => (usage.totalTokens ?? 0) > 0)).toBe(true);
    expectBothResults();
  });
});
