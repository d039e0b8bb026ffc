import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '#testkit/model-server';
import { hermes, makeHome } from './hermes.ts';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer({
    script: {
      models: [{ id: 'qwen3:8b', contextWindow: 8_192 }, { id: 'demo' }],
      rules: [],
      fallback: { text: 'ready' },
    },
  });
});
afterAll(() => server.close());

describe('hermes config', () => {
  it('keeps keys out of config.yaml and out of sight', async () => {
    const home = await makeHome();
    const key = 'sk-live-abcdefgh12345678';
    await hermes(home, ['config', 'set', 'llm.provider', 'openai']);
    const set = await hermes(home, ['config', 'set', 'llm.api_key', key]);
    expect(set.code).toBe(0);
    expect(await readFile(join(home, 'config.yaml'), 'utf8')).not.toContain(key);
    const secrets = join(home, '.env');
    expect(await readFile(secrets, 'utf8')).toContain(`OPENAI_API_KEY=${key}`);
    expect((await stat(secrets)).mode & 0o777).toBe(0o600);
    for (const args of [
      ['config', 'get', 'llm'],
      ['config', 'list'],
      ['doctor'],
      ['model', 'list'],
      ['run', 'status', '-m', 'local'],
    ]) {
      const { out, err } = await hermes(home, args);
      expect(out + err).not.toContain(key);
    }
  });

  it('refuses a bad file with line, key and suggestion, and mends with unset', async () => {
    const home = await makeHome();
    await writeFile(
      join(home, 'config.yaml'),
      'language: en\nllm:\n  provider: openai\n  modle: gpt-5\n  max_retries: many\n',
    );
    const { code, err } = await hermes(home, ['run', 'hi']);
    expect(code).toBe(2);
    expect(err).toMatch(/config\.yaml:4/);
    expect(err).toContain('model');
    expect(err).toMatch(/max_retries/);
  });

  it('speaks Chinese when told to', async () => {
    const home = await makeHome();
    await hermes(home, ['config', 'set', 'language', 'zh']);
    expect((await hermes(home, ['doctor'])).out).toContain('配置');
    expect((await hermes(home, ['--help'])).out).toContain('面向生产系统');
    expect((await hermes(home, ['nonsense'])).err).toContain('没有命令');
  });

  it('opens the editor and checks what it leaves', async () => {
    const home = await makeHome();
    const good = await hermes(home, ['config', 'edit'], { env: { EDITOR: 'true' } });
    expect(good).toMatchObject({ code: 0 });
    const bad = join(home, 'editor.sh');
    await writeFile(bad, '#!/bin/sh\necho "nonsense: 1" > "$1"\n', { mode: 0o755 });
    const broken = await hermes(home, ['config', 'edit'], { env: { EDITOR: bad } });
    expect(broken.code).toBe(2);
    expect(broken.err).toContain('nonsense');
  });
});

describe('hermes model', () => {
  it('finds the models and window of a server of one’s own, and uses it', async () => {
    const home = await makeHome();
    await writeFile(join(home, 'config.yaml'), `llm:\n  provider: ollama\n  base_url: ${server.url}/v1\n`);
    const list = await hermes(home, ['model', 'list', 'ollama']);
    expect(list.out).toMatch(/qwen3:8b\s+8K/);
    const test = await hermes(home, ['model', 'test']);
    expect(test.code).toBe(0);
    expect(test.out).toContain('ollama/qwen3:8b works (chat_completions)');
    const doctor = await hermes(home, ['doctor', '--online']);
    expect(doctor.out).toMatch(/window 8K/);
    expect(doctor.code).toBe(0);
  });

  it('changes the model only to one that can be called', async () => {
    const home = await makeHome();
    const refused = await hermes(home, ['model', 'use', 'openai/gpt-5']);
    expect(refused.code).toBe(5);
    expect(refused.err).toContain('OPENAI_API_KEY');
    const used = await hermes(home, ['model', 'use', 'openai/gpt-5'], {
      env: { OPENAI_API_KEY: 'sk-aaaaaaaaaaaaaaaa' },
    });
    expect(used.code).toBe(0);
    expect((await hermes(home, ['config', 'get', 'llm.model'])).out).toBe('gpt-5\n');
  });
});

describe('profiles', () => {
  it('share nothing', async () => {
    const home = await makeHome();
    await hermes(home, ['config', 'set', 'llm.temperature', '0.7']);
    expect((await hermes(home, ['profile', 'create', 'work'])).code).toBe(0);
    expect((await hermes(home, ['--profile', 'work', 'config', 'get', 'llm.temperature'])).out).toBe('\n');
    await hermes(home, ['config', 'set', 'llm.temperature', '0.1', '--profile', 'work']);
    expect((await hermes(home, ['config', 'get', 'llm.temperature'])).out).toBe('0.7\n');
    await hermes(home, ['profile', 'switch', 'work']);
    expect((await hermes(home, ['config', 'get', 'llm.temperature'])).out).toBe('0.1\n');
    expect((await hermes(home, ['profile', 'list'])).out).toMatch(/●\s+work/);
    const escape = await hermes(home, ['--profile', '../../etc', 'doctor']);
    expect(escape.out + escape.err).toContain('cannot be the name');
  });
});

describe('hermes testkit model-server', () => {
  it('serves a newcomer without a key and stops on Ctrl-C', async () => {
    const home = await makeHome();
    let answered: ReturnType<typeof hermes> | undefined;
    const served = await hermes(home, ['testkit', 'model-server', '--port', '0'], {
      onOutput: (printed, kill) => {
        const url = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0];
        if (!url || answered) return;
        answered = hermes(home, ['run', 'hello'], {
          env: { HERMES_BASE_URL: `${url}/v1`, HERMES_MODEL: 'demo' },
        });
        void answered.finally(() => kill('SIGINT'));
      },
    });
    expect(served.code).toBe(0);
    const answer = await answered;
    expect(answer?.code).toBe(0);
    expect(answer?.out.length).toBeGreaterThan(10);
  });
});
