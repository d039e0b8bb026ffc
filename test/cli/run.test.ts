import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AgentEvent, PROTOCOL_IDS, type ProtocolId } from '#spec/data';
import { type ModelServer, startModelServer } from '#testkit/model-server';
import { MODELS } from '../models/endpoints.ts';
import { hermes, makeHome } from './hermes.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let server: ModelServer;
let home: string;
beforeAll(async () => {
  home = await makeHome();
  server = await startModelServer({
    script: {
      models: [{ id: 'small', contextWindow: 8_192 }, { id: 'demo' }],
      rules: [{ when: { contains: 'picture', hasImage: true }, reply: { text: 'I see {{images}} image.' } }],
      fallback: { text: 'You said: {{user}}' },
    },
  });
});
beforeEach(() => server.reset());
afterAll(() => server.close());

const env = (more: Record<string, string> = {}) => ({
  HERMES_BASE_URL: `${server.url}/v1`,
  HERMES_API_KEY: 'sk-test-secret-0123456789',
  HERMES_MODEL: 'demo',
  ...more,
});

describe('hermes run with no model', () => {
  it('answers something true, in the language of the question', async () => {
    const english = await hermes(home, ['run', 'status']);
    expect(english).toMatchObject({ code: 0, err: '' });
    expect(english.out).toContain(`${home} (default)`);
    const chinese = await hermes(home, ['run', '怎么接入模型?']);
    expect(chinese.out).toContain('hermes model');
    expect(chinese.out).toMatch(/[一-鿿]/);
  });

  it('says plainly what needs a model', async () => {
    const { code, out } = await hermes(home, ['run', 'Write a poem about autumn']);
    expect(code).toBe(5);
    expect(out).toContain('needs a model');
  });
});

describe('hermes run with a model', () => {
  it('streams the answer to standard output and nothing else', async () => {
    expect(await hermes(home, ['run', 'hello', 'there'], { env: env() })).toEqual({
      code: 0,
      out: 'You said: hello there\n',
      err: '',
    });
  });

  it.each(PROTOCOL_IDS)('speaks %s when told to', async (protocol: ProtocolId) => {
    const own = await makeHome();
    const base = protocol === 'bedrock_converse' ? server.url : `${server.url}/v1`;
    await writeFile(
      join(own, 'config.yaml'),
      `llm:\n  provider: scripted\n  model: ${MODELS[protocol]}\nproviders:\n  scripted:\n    base_url: ${base}\n    api_mode: ${protocol}\n    api_key: \${SCRIPTED_KEY}\n`,
    );
    const { code, out, err } = await hermes(own, ['run', 'hello'], { env: { SCRIPTED_KEY: 'k-123456' } });
    expect({ code, out, err }).toEqual({ code: 0, out: 'You said: hello\n', err: '' });
    expect(server.requests.at(-1)).toMatchObject({ protocol, key: 'k-123456' });
  });

  it('takes a pipe and an image along', async () => {
    const piped = await hermes(home, ['run', 'why?', '-'], { env: env(), input: 'log line 1\nlog line 2\n' });
    expect(piped.out).toBe('You said: why?\n\nlog line 1\nlog line 2\n');
    const picture = join(home, 'graph.png');
    await writeFile(picture, PNG);
    const seen = await hermes(home, ['run', '--image', picture, 'what is in the picture?'], { env: env() });
    expect(seen.out).toBe('I see 1 image.\n');
  });

  it('prints one enveloped event a line with --json', async () => {
    const { code, out } = await hermes(home, ['run', '--json', 'hello'], { env: env() });
    const events = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as AgentEvent);
    expect(code).toBe(0);
    const numbers = events.map(({ seq }) => seq);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(numbers[0]).toBe(1);
    expect(new Set(events.map(({ stream }) => stream)).size).toBe(1);
    expect(events.map(({ type }) => type)).toEqual([
      'message.added',
      'turn.started',
      'budget.update',
      'response.start',
      'text.delta',
      'text.delta',
      'response.end',
      'message.added',
      'usage.recorded',
      'turn.ended',
    ]);
  });

  it('turns to the stand-in, and says who failed', async () => {
    const own = await makeHome();
    await writeFile(
      join(own, 'config.yaml'),
      `llm:\n  provider: dead\n  model: demo\n  max_retries: 0\n  fallback:\n    - provider: alive\n      model: demo\nproviders:\n  dead:\n    base_url: http://127.0.0.1:9/v1\n    auth: none\n  alive:\n    base_url: ${server.url}/v1\n    auth: none\n`,
    );
    const { code, out, err } = await hermes(own, ['run', 'hello']);
    expect({ code, out }).toEqual({ code: 0, out: 'You said: hello\n' });
    expect(err).toContain('(dead/demo): turning to alive/demo');
  });

  it('works with a window of 8K, where a long conversation is compacted', async () => {
    const lines = Array.from({ length: 12 }, (_, i) => `${i} ${'word '.repeat(500)}`);
    const { code, out, err } = await hermes(home, ['chat'], {
      env: env({ HERMES_MODEL: 'small' }),
      input: `${lines.join('\n')}\n`,
    });
    expect(code).toBe(0);
    expect(out.match(/^You said: /gm)).toHaveLength(12);
    expect(err).toBe('');
    // A review or a summary may ask last, without these tools: the turn of the last line is what counts.
    const sent = server.requests
      .map(({ body }) => JSON.stringify(body))
      .findLast((body) => body.includes('11 word') && body.includes('"read_file"'));
    expect(sent).toContain('[Earlier conversation');
  });
});

describe('exit status', () => {
  it('is 1 for a failure of the provider, told with its source and without the key', async () => {
    server.plan([{ kind: 'auth' }]);
    const { code, out, err } = await hermes(home, ['run', 'hello'], { env: env() });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('HTTP 401');
    expect(err).not.toContain('sk-test-secret');
  });

  it.each([
    [['run'], 'Nothing to answer'],
    [['run', '--thinking', 'lots', 'hi'], '--thinking takes'],
    [['run', '--image', '/nonexistent.png', 'hi'], 'ENOENT'],
    [['run', '--model', 'opnai/gpt-5', 'hi'], "did you mean 'openai'"],
    [['rnu', 'hi'], "did you mean 'run'"],
    [['run', '--profile', 'nobody', 'hi'], 'nobody'],
    [['config', 'set', 'llm.modle', 'x'], 'model'],
  ])('is 2 for a mistake: hermes %j', async (args, words) => {
    const { code, out, err } = await hermes(home, args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(words);
    expect(err).not.toMatch(/^\s+at /m);
  });

  it('is 130 when stopped, at once, with what had arrived', async () => {
    server.plan([{ kind: 'stall', afterFrames: 3 }]);
    let stopped = false;
    const { code, out, err } = await hermes(home, ['run', 'hello'], {
      env: env(),
      onOutput: (printed, kill) => {
        if (stopped || !printed.includes('You')) return;
        stopped = true;
        kill('SIGINT');
      },
    });
    expect(code).toBe(130);
    expect('You said: hello\n'.startsWith(out.trimEnd())).toBe(true);
    expect(err).toContain('stopped');
    expect(server.requests.at(-1)?.aborted).toBe(true);
  });
});
