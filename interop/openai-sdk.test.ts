import OpenAI, { AuthenticationError } from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import type { ResponseInput } from 'openai/resources/responses/responses';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../testkit/model-server/model-server.ts';
import {
  conversation,
  FIRST,
  PIXEL,
  QUESTION,
  RESULTS,
  SECOND,
  SYSTEM,
  TOOL_SCHEMAS,
} from './scripted-conversation.ts';

let server: ModelServer;
let client: OpenAI;
beforeEach(async () => {
  server = await startModelServer({ script: conversation });
  client = new OpenAI({ apiKey: 'sk-one', baseURL: `${server.url}/v1`, maxRetries: 0 });
});
afterEach(() => server.close());

const PNG = `data:image/png;base64,${PIXEL}`;
const expectedCalls = FIRST.calls.map((call) => ({
  name: call.name,
  arguments: JSON.stringify(call.arguments),
}));

describe('the OpenAI SDK over chat completions', () => {
  const tools = TOOL_SCHEMAS.map(({ name, description, schema }) => ({
    type: 'function' as const,
    function: { name, description, parameters: schema },
  }));
  const opening: ChatCompletionMessageParam[] = [
    { role: 'system', content: SYSTEM },
    {
      role: 'user',
      content: [
        { type: 'text', text: QUESTION },
        { type: 'image_url', image_url: { url: PNG } },
      ],
    },
  ];

  async function run(messages: ChatCompletionMessageParam[]) {
    let thinking = '';
    const stream = client.chat.completions.stream({
      model: 'gpt-x',
      messages,
      tools,
      stream_options: { include_usage: true },
    });
    for await (const chunk of stream) {
      const delta = chunk.choices[0]?.delta as { reasoning_content?: string } | undefined;
      thinking += delta?.reasoning_content ?? '';
    }
    const final = await stream.finalChatCompletion();
    return {
      thinking,
      message: final.choices[0]?.message,
      finish: final.choices[0]?.finish_reason,
      usage: final.usage,
    };
  }

  it('reads back a conversation with thinking, an image and two parallel tool calls', async () => {
    const first = await run(opening);
    const calls = first.message?.tool_calls ?? [];
    expect(first.thinking).toBe(FIRST.thinking);
    expect(first.message?.content).toBe(FIRST.text);
    expect(first.finish).toBe('tool_calls');
    expect(calls.map((call) => (call.type === 'function' ? call.function : undefined))).toMatchObject(
      expectedCalls,
    );
    expect(first.usage?.prompt_tokens_details?.cached_tokens).toBe(0);

    const second = await run([
      ...opening,
      {
        role: 'assistant',
        content: FIRST.text,
        tool_calls: calls.map(({ id, ...call }) => ({
          id,
          type: 'function' as const,
          function:
            'function' in call ? { name: call.function.name, arguments: call.function.arguments } : never(),
        })),
      },
      ...calls.map((call, index) => ({
        role: 'tool' as const,
        tool_call_id: call.id,
        content: RESULTS[index] as string,
      })),
    ]);
    expect(second).toMatchObject({
      thinking: SECOND.thinking,
      finish: 'stop',
      message: { content: SECOND.text },
    });
    expect(second.usage?.prompt_tokens_details?.cached_tokens).toBe(first.usage?.prompt_tokens);
    expect(second.usage?.completion_tokens_details?.reasoning_tokens).toBe(
      Math.ceil(SECOND.thinking.length / 4),
    );
  });

  it('reads a reply that is not streamed', async () => {
    const { choices, usage } = await client.chat.completions.create({ model: 'gpt-x', messages: opening });
    expect(choices[0]?.message.content).toBe(FIRST.text);
    expect(choices[0]?.message.tool_calls).toHaveLength(2);
    expect(usage?.total_tokens).toBe((usage?.prompt_tokens ?? 0) + (usage?.completion_tokens ?? 0));
  });

  it('raises the typed errors of the vendor', async () => {
    server.script({ keys: ['sk-other'], rules: [] });
    const call = client.chat.completions.create({ model: 'gpt-x', messages: opening });
    await expect(call).rejects.toBeInstanceOf(AuthenticationError);
    await expect(call).rejects.toMatchObject({
      code: 'invalid_api_key',
      requestID: expect.stringMatching(/^req_/),
    });
  });

  it('refuses a tool call that was left without an answer', async () => {
    const call = client.chat.completions.create({
      model: 'gpt-x',
      messages: [
        { role: 'user', content: 'go' },
        {
          role: 'assistant',
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } }],
        },
      ],
    });
    await expect(call).rejects.toThrow(/did not have response messages: call_1/);
  });

  it('lists models', async () => {
    server.script({ models: [{ id: 'a', contextWindow: 4096 }, { id: 'b' }], rules: [] });
    const { data } = await client.models.list();
    expect(data).toMatchObject([{ id: 'a', max_model_len: 4096 }, { id: 'b' }]);
  });
});

function never(): never {
  throw new Error('a custom tool call was not scripted');
}

const itemEvents = (...inner: string[]) => ['output_item.added', ...inner, 'output_item.done'];

describe('the OpenAI SDK over responses', () => {
  const tools = TOOL_SCHEMAS.map(({ name, description, schema }) => ({
    type: 'function' as const,
    name,
    description,
    parameters: schema,
    strict: false,
  }));
  const opening: ResponseInput = [
    {
      role: 'user',
      content: [
        { type: 'input_text', text: QUESTION },
        { type: 'input_image', image_url: PNG, detail: 'auto' },
      ],
    },
  ];

  async function run(input: ResponseInput) {
    const stream = client.responses.stream({
      model: 'gpt-x',
      instructions: SYSTEM,
      input,
      tools,
      store: false,
      include: ['reasoning.encrypted_content'],
      prompt_cache_key: 'chat-1',
    });
    const numbers: number[] = [];
    let text = '';
    for await (const event of stream) {
      numbers.push(event.sequence_number);
      if (event.type === 'response.output_text.delta') text += event.delta;
    }
    return { numbers, text, response: await stream.finalResponse() };
  }

  it('reads back a conversation and replays the reasoning item', async () => {
    const first = await run(opening);
    const { output, usage, status } = first.response;
    expect(first.numbers).toEqual(first.numbers.map((_, index) => index));
    expect(first.text).toBe(FIRST.text);
    expect(status).toBe('completed');
    expect(output.map((item) => item.type)).toEqual([
      'reasoning',
      'message',
      'function_call',
      'function_call',
    ]);
    expect(output[0]).toMatchObject({ summary: [{ type: 'summary_text', text: FIRST.thinking }] });
    const calls = output.filter((item) => item.type === 'function_call');
    expect(calls).toMatchObject(expectedCalls);

    const second = await run([
      ...opening,
      ...output,
      ...calls.map((call, index) => ({
        type: 'function_call_output' as const,
        call_id: call.call_id,
        output: RESULTS[index] as string,
      })),
    ] as ResponseInput);
    expect(second.text).toBe(SECOND.text);
    expect(second.response.usage?.input_tokens_details.cached_tokens).toBe(usage?.input_tokens);
  });

  it('sends the documented events, each saying what the deltas before it added up to', async () => {
    const types: string[] = [];
    const deltas = new Map<string, string>();
    const wholes = new Map<string, string>();
    const stream = await client.responses.create({ model: 'gpt-x', input: opening, stream: true });
    for await (const event of stream) {
      if ('delta' in event && 'item_id' in event) {
        deltas.set(event.item_id, (deltas.get(event.item_id) ?? '') + (event.delta as string));
      } else if (event.type === 'response.function_call_arguments.done') {
        wholes.set(event.item_id, event.arguments);
      } else if (event.type.endsWith('text.done') && 'text' in event) {
        wholes.set(event.item_id, event.text);
      }
      if (types.at(-1) !== event.type) types.push(event.type);
    }
    expect(wholes.size).toBe(4);
    expect(wholes).toEqual(deltas);
    const call = itemEvents('function_call_arguments.delta', 'function_call_arguments.done');
    expect(types.map((type) => type.replace('response.', ''))).toEqual([
      'created',
      'in_progress',
      ...itemEvents(
        'reasoning_summary_part.added',
        'reasoning_summary_text.delta',
        'reasoning_summary_text.done',
        'reasoning_summary_part.done',
      ),
      ...itemEvents('content_part.added', 'output_text.delta', 'output_text.done', 'content_part.done'),
      ...call,
      ...call,
      'completed',
    ]);
  });

  it('refuses reasoning whose encrypted content was altered, and calls without output', async () => {
    const { output } = (await run(opening)).response;
    const altered = output.map((item) =>
      item.type === 'reasoning' ? { ...item, encrypted_content: 'gAAAAaltered' } : item,
    );
    const outputs = output
      .filter((item) => item.type === 'function_call')
      .map((call) => ({ type: 'function_call_output', call_id: call.call_id, output: 'ok' }));
    await expect(run([...opening, ...altered, ...outputs] as ResponseInput)).rejects.toMatchObject({
      status: 400,
      code: 'invalid_encrypted_content',
    });
    await expect(run([...opening, ...output] as ResponseInput)).rejects.toThrow(/No tool output found/);
  });

  it('reports an answer cut by the output limit as incomplete', async () => {
    server.script({ rules: [], fallback: { text: 'half of it', stop: 'length' } });
    const { response } = await run(opening);
    expect(response).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
    });
  });

  it('leaves encrypted content out unless it is asked for, and answers without streaming', async () => {
    const response = await client.responses.create({ model: 'gpt-x', input: opening });
    expect(response.output[0]).not.toHaveProperty('encrypted_content');
    expect(response.output_text).toBe(FIRST.text);
  });
});
