import { describe, expect, it } from 'vitest';
import { fail } from '#kit/app-error';
import type { AssistantMessage, Message, ModelEvent, ModelRequest } from '#spec/data';
import type { RouteMessage } from '#spec/ports';
import { localOperator } from './operator.ts';

const saying = (...texts: string[]): ModelRequest => ({
  system: [],
  tools: [],
  messages: texts.map((text) => ({ role: 'user', content: [{ type: 'text', text }] })),
});

const route: RouteMessage = async (text) => (text === 'status' ? { before: 'All\nis\nwell.' } : undefined);

async function ask(text: string, routed = route, signal = new AbortController().signal) {
  const stream = localOperator(routed).stream(saying('something before', text), signal);
  const events: ModelEvent[] = [];
  for await (const event of stream) events.push(event);
  const outcome = await stream.result();
  const [part] = outcome.message.content;
  return { events, outcome, text: part?.type === 'text' ? part.text : '' };
}

describe('the operator', () => {
  it('answers like any model: a start, deltas that make up the text, one end, at no cost', async () => {
    const { events, outcome, text } = await ask('status');
    expect(events[0]).toEqual({
      type: 'response.start',
      provider: 'local',
      model: 'operator',
      protocol: 'local',
    });
    const deltas = events.flatMap((event) => (event.type === 'text.delta' ? [event.text] : []));
    expect(deltas.length).toBeGreaterThan(2);
    expect(deltas.join('')).toBe(text);
    expect(events.filter(({ type }) => type === 'response.end')).toEqual([
      { type: 'response.end', ...outcome },
    ]);
    expect(outcome).toMatchObject({ status: 'done', stop: 'end', cost: 0, usage: { input: 0, output: 0 } });
  });

  it('answers in the language of the question', async () => {
    expect((await ask('帮助')).text).toMatch(/没有接入模型/);
    expect((await ask('help')).text).not.toMatch(/[㐀-鿿]/);
  });

  it('shows what can be asked, also where the router says so', async () => {
    const { text } = await ask('help');
    for (const ability of ['run df -h', 'remember that', 'payment-service']) expect(text).toContain(ability);
    expect((await ask('i am new here', async () => ({ help: true }))).text).toBe(text);
  });

  it('takes `run …` for a command only where that is a program', async () => {
    const tools = [{ name: 'terminal', description: '', input: {} }];
    const model = localOperator(route, (word) => word === 'df');
    const stopOf = async (text: string) => {
      const outcome = await model.stream({ ...saying(text), tools }, new AbortController().signal).result();
      return outcome.status === 'done' ? outcome.stop : outcome.status;
    };
    expect(await stopOf('run df -h')).toBe('tool_calls');
    expect(await stopOf('!made-up --now')).toBe('tool_calls');
    expect(await stopOf('run the disk check')).toBe('end');
  });

  it.each([
    ['run git status', 'terminal', { command: 'git status' }],
    ['!df -h | head', 'terminal', { command: 'df -h | head' }],
    ['运行 uptime', 'terminal', { command: 'uptime' }],
    ['read src/app.ts', 'read_file', { path: 'src/app.ts' }],
    ['https://example.com/a?b=c', 'web_extract', { url: 'https://example.com/a?b=c' }],
  ])('calls the tool that %j means, and answers with its result', async (text, name, input) => {
    const model = localOperator();
    const request = saying(text);
    const tools = [{ name, description: '', input: {} }];
    const signal = new AbortController().signal;
    const { message, stop } = (await model.stream({ ...request, tools }, signal).result()) as {
      message: AssistantMessage;
      stop: string;
    };
    expect(stop).toBe('tool_calls');
    const [call] = message.content;
    expect(call).toMatchObject({ type: 'tool_call', name });
    if (call?.type !== 'tool_call') throw new Error('no call');
    expect(JSON.parse(call.arguments)).toEqual(input);
    const result: Message = {
      role: 'tool',
      callId: call.id,
      name,
      isError: false,
      content: [{ type: 'text', text: 'what came back' }],
    };
    const after = { ...request, tools, messages: [...request.messages, message, result] };
    const answered = await model.stream(after, signal).result();
    expect(answered.message.content).toEqual([{ type: 'text', text: 'what came back' }]);
  });

  it('says that it needs a model where the tool is not there', async () => {
    expect((await ask('run ls')).text).toContain('`hermes model`');
  });

  it.each(['Why does payment-service time out?', '支付为什么超时?', ''])(
    'says plainly what needs a model: %j',
    async (text) => {
      const answer = await ask(text);
      expect(answer.text).toContain('`hermes model`');
      expect(answer.outcome.status).toBe('done');
    },
  );

  it('stops when it is told to', async () => {
    const { outcome, events } = await ask('status', route, AbortSignal.abort());
    expect(outcome).toMatchObject({ status: 'aborted', message: { content: [] } });
    expect(events.map(({ type }) => type)).toEqual(['response.start', 'response.end']);
  });

  it('ends in a failure, and does not throw, when the router fails', async () => {
    const model = localOperator(() => Promise.reject(fail('config.unreadable', 'no such disk')));
    const stream = model.stream(saying('status'), new AbortController().signal);
    const types: string[] = [];
    for await (const { type } of stream) types.push(type);
    expect(types).toEqual(['response.start', 'response.end']);
    expect(await stream.result()).toMatchObject({ status: 'failed', error: { code: 'config.unreadable' } });
  });

  it('reads nothing into a request without words', async () => {
    const stream = localOperator().stream(saying(), new AbortController().signal);
    expect(await stream.result()).toMatchObject({ status: 'done' });
  });
});
