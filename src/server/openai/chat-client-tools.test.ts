import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Script, startModelServer } from '#testkit/model-server';
import { ChatUnderTest, type Completion, calling, user, WEATHER } from '#support/server/chat-under-test';
import { sentBody, sentEvents } from '#support/server/scripted-api';

const chat = new ChatUnderTest(() => startModelServer({ script: { rules: [] } }));
const play = (rules: Script['rules']) => chat.model.script({ rules, fallback: { text: 'Done.' } });
beforeEach(async () => {
  await chat.open();
  play([]);
});
afterEach(() => chat.close());
afterAll(() => chat.stop());

describe('tools of the client', () => {
  const body = (messages: object[], more: object = {}) => ({
    model: 'hermes',
    messages,
    tools: [WEATHER],
    ...more,
  });
  const rules: Script['rules'] = [
    { when: { afterTool: 'get_weather' }, reply: { text: 'Bring an umbrella.' } },
    {
      when: { afterTool: 'read_file' },
      reply: { text: 'Let me see.', ...calling('get_weather', { city: 'Rome' }) },
    },
    { when: { contains: 'weather', turn: 0 }, reply: calling('read_file', { path: 'notes.txt' }) },
  ];
  const roundTrip = async (first: Completion, headers: Record<string, string> = {}, known: object[] = []) => {
    const message = first.choices[0]?.message;
    const result = { role: 'tool', tool_call_id: message?.tool_calls?.[0]?.id, content: 'rain, 12 °C' };
    return chat.complete(body([...known, { ...message }, result]), headers);
  };

  it('are called by the model, run by the client, and the turn goes on with what our own tools had found', async () => {
    play(rules);
    const said = [user('notes, then the weather?')];
    const first = await chat.complete(body(said));
    expect(first.choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        content: 'Let me see.',
        tool_calls: [{ type: 'function', function: { name: 'get_weather', arguments: '{"city":"Rome"}' } }],
      },
    });
    expect(first.x_hermes.progress.map(({ name }) => name)).toEqual(['read_file', 'read_file']);
    expect(sentBody(chat.model, 0).tools).toContainEqual(WEATHER);

    const second = await roundTrip(first, {}, said);
    expect(second.choices[0]).toMatchObject({
      finish_reason: 'stop',
      message: { content: 'Bring an umbrella.' },
    });
    expect(chat.sentMessages().map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'tool',
    ]);
    expect(JSON.stringify(chat.sentMessages()[2])).toContain('pool size 20');
    expect(chat.sentMessages()[4]).toMatchObject({ content: 'rain, 12 °C' });
  });

  it('go on after a restart with what the client knows', async () => {
    play(rules);
    const said = [user('the weather?')];
    const first = await chat.complete(body(said));
    await chat.api.restart();
    expect((await roundTrip(first, {}, said)).choices[0]?.message.content).toBe('Bring an umbrella.');
    expect(chat.sentMessages().map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
  });

  it('are streamed as calls, several at once, each with an id of its own', async () => {
    const twice = { id: 'call_0', name: 'get_weather', arguments: { city: 'Rome' } };
    play([{ when: { contains: 'weather' }, reply: { toolCalls: [twice, { ...twice, id: 'call_1' }] } }]);
    const response = await chat.post(body([user('weather')], { stream: true }));
    const events = (await sentEvents(response)) as { choices: { delta: { tool_calls?: object[] } }[] }[];
    const calls = events.flatMap(({ choices }) => choices?.[0]?.delta.tool_calls ?? []) as { id: string }[];
    expect(calls).toMatchObject([
      { index: 0, type: 'function', function: { name: 'get_weather', arguments: '{"city":"Rome"}' } },
      { index: 1, function: { name: 'get_weather' } },
    ]);
    expect(new Set([...calls.map(({ id }) => id), 'call_0', 'call_1']).size).toBe(4);
  });

  it('take the place of ours of the same name, and cannot be reached from our code', async () => {
    const theirs = { ...WEATHER, function: { ...WEATHER.function, name: 'read_file' } };
    play([{ when: { contains: 'read' }, reply: calling('read_file', { city: 'Rome' }) }]);
    const first = await chat.complete({ ...body([user('read')]), tools: [theirs] });
    expect(first.choices[0]).toMatchObject({ finish_reason: 'tool_calls' });
    const { tools } = sentBody(chat.model, 0);
    expect(tools.filter((tool) => tool.function.name === 'read_file')).toEqual([theirs]);
  });

  it('are not called when the client says none', async () => {
    await chat.complete(body([user('weather')], { tool_choice: 'none' }));
    expect(JSON.stringify(chat.model.requests[0]?.body)).not.toContain('get_weather');
  });

  it('go on in a session, where the result takes the place that was kept for it', async () => {
    play(rules);
    const first = await chat.complete(body([user('the weather?')]), { 'x-hermes-session': 'new' });
    const session = first.x_hermes.session ?? '';
    await chat.api.restart();
    const second = await roundTrip(first, { 'x-hermes-session': session });
    expect(second.choices[0]?.message.content).toBe('Bring an umbrella.');
    expect(chat.sentMessages().map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'tool',
    ]);
    expect(chat.sentMessages()[4]).toMatchObject({ content: 'rain, 12 °C' });
    const again = await chat.post(
      body([
        { ...first.choices[0]?.message },
        { role: 'tool', tool_call_id: first.choices[0]?.message.tool_calls?.[0]?.id, content: 'x' },
      ]),
      { headers: { 'x-hermes-session': session } },
    );
    expect(again.status).toBe(400);
  });
});
