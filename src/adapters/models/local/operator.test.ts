import { describe, expect, it } from 'vitest';
import { fail } from '#kit/app-error';
import type { AssistantMessage, Message, ModelEvent, ModelRequest } from '#spec/data';
import type { OperatorFacts } from './intent.ts';
import { localOperator } from './operator.ts';

const FACTS: OperatorFacts = {
  version: '9.9.9',
  home: '/h/.hermes',
  profile: 'night-shift',
  configPath: '/h/.hermes/config.yaml',
  configExists: true,
  keysFound: ['OpenAI'],
  localServers: ['Ollama'],
  nodeVersion: 'v24',
  platform: 'linux',
};

const saying = (...texts: string[]): ModelRequest => ({
  system: [],
  tools: [],
  messages: texts.map((text) => ({ role: 'user', content: [{ type: 'text', text }] })),
});

async function ask(text: string, facts: Partial<OperatorFacts> = {}, signal = new AbortController().signal) {
  let gathered = 0;
  const model = localOperator(async () => {
    gathered++;
    return { ...FACTS, ...facts };
  });
  const stream = model.stream(saying('something before', text), signal);
  const events: ModelEvent[] = [];
  for await (const event of stream) events.push(event);
  const outcome = await stream.result();
  const [part] = outcome.message.content;
  return { events, outcome, gathered, text: part?.type === 'text' ? part.text : '' };
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

  it.each(['status', 'Are you up?', 'which version is this?', '状态', '你是谁?'])(
    'tells its status: %s',
    async (text) => {
      const answer = await ask(text);
      for (const fact of ['9.9.9', 'night-shift', '/h/.hermes/config.yaml', 'OpenAI', 'Ollama']) {
        expect(answer.text).toContain(fact);
      }
    },
  );

  it.each(['where is the config?', 'change settings', '配置文件在哪里', 'language'])(
    'tells about configuration: %s',
    async (text) => {
      expect((await ask(text)).text).toContain('/h/.hermes/config.yaml');
    },
  );

  it.each(['how do I connect a model?', 'use claude as the model', 'api key', '怎么接入模型', '添加密钥'])(
    'tells how to connect a model: %s',
    async (text) => {
      const answer = await ask(text, { model: 'openai/gpt-5' });
      for (const fact of ['hermes model', 'OpenAI', 'Ollama', 'openai/gpt-5'])
        expect(answer.text).toContain(fact);
    },
  );

  it.each(['hello', 'Thanks!', '你好'])('greets without gathering facts: %s', async (text) => {
    const answer = await ask(text);
    expect(answer.text).toMatch(/Hermes/);
    expect(answer.gathered).toBe(0);
  });

  it('answers in the language of the question', async () => {
    expect((await ask('帮助')).text).toMatch(/没有接入模型/);
    expect((await ask('help')).text).not.toMatch(/[㐀-鿿]/);
    expect((await ask('当前模型')).text).toMatch(/未接入/);
  });

  it('lists in its help what it understands, and only that', async () => {
    const { text } = await ask('help');
    expect(text.match(/^- .+/gm)).toHaveLength(12);
    for (const ability of ['status', 'configuration', 'connect a model', 'run df -h', 'remember that'])
      expect(text).toContain(ability);
  });

  it.each([
    ['run git status', 'terminal', { command: 'git status' }],
    ['!df -h | head', 'terminal', { command: 'df -h | head' }],
    ['运行 uptime', 'terminal', { command: 'uptime' }],
    ['read src/app.ts', 'read_file', { path: 'src/app.ts' }],
    ['https://example.com/a?b=c', 'web_extract', { url: 'https://example.com/a?b=c' }],
  ])('calls the tool that %j means, and answers with its result', async (text, name, input) => {
    const model = localOperator(async () => FACTS);
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
      expect(answer.gathered).toBe(0);
    },
  );

  it('says so when there is nothing to tell', async () => {
    const answer = await ask('status', { configExists: false, keysFound: [], localServers: [] });
    expect(answer.text).toContain('defaults (no config.yaml yet)');
    expect(answer.text).toContain('none');
  });

  it('stops when it is told to', async () => {
    const { outcome, events } = await ask('status', {}, AbortSignal.abort());
    expect(outcome).toMatchObject({ status: 'aborted', message: { content: [] } });
    expect(events.map(({ type }) => type)).toEqual(['response.start', 'response.end']);
  });

  it('ends in a failure, and does not throw, when the facts cannot be gathered', async () => {
    const model = localOperator(() => Promise.reject(fail('config.unreadable', 'no such disk')));
    const stream = model.stream(saying('status'), new AbortController().signal);
    const types: string[] = [];
    for await (const { type } of stream) types.push(type);
    expect(types).toEqual(['response.start', 'response.end']);
    expect(await stream.result()).toMatchObject({ status: 'failed', error: { code: 'config.unreadable' } });
  });

  it('reads nothing into a request without words', async () => {
    const stream = localOperator(async () => FACTS).stream(saying(), new AbortController().signal);
    expect(await stream.result()).toMatchObject({ status: 'done' });
  });
});
