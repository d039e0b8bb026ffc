import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '#kit/app-error';
import { type Home, homeAt } from '../home.ts';
import { loadConfig } from './load-config.ts';

let home: Home;
beforeEach(async () => {
  home = homeAt(await mkdtemp(join(tmpdir(), 'hermes-config-')), 'default');
});
afterEach(() => rm(home.root, { recursive: true, force: true }));

async function load(yaml: string, env: Record<string, string> = {}, dotEnv = '') {
  await writeFile(home.file('config.yaml'), yaml);
  await writeFile(home.file('.env'), dotEnv);
  return loadConfig(home, env);
}

/** The lines of the error, without the path of the file. */
async function problems(yaml: string, env: Record<string, string> = {}): Promise<string[]> {
  const error = await load(yaml, env).then(
    () => expect.unreachable('it was accepted'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AppError)) throw error;
  expect(error.record.code).toBe('config.invalid');
  return error.message.split('\n').map((line) => line.replaceAll(home.root, ''));
}

describe('what is accepted', () => {
  it('needs no file', async () => {
    const { config, warnings, path } = await loadConfig(home, {});
    expect(path).toBe(home.file('config.yaml'));
    expect(warnings).toEqual([]);
    expect(config).toEqual({
      language: 'auto',
      cli: { prompt_style: 'rich' },
      llm: {
        thinking: 'off',
        cache_ttl: '5m',
        max_retries: 3,
        timeouts: { first_byte_s: 120, stall_s: 180, total_s: 1800 },
        credentials: { strategy: 'fill_first', keys: [] },
        fallback: [],
      },
      audit: { every: 20, seconds: 60 },
      agent: {
        max_calls: 90,
        interim_messages: true,
        enabled_toolsets: [],
        disabled_toolsets: [],
        toolsets: {},
      },
      compression: { enabled: true, threshold: 0.75, keep_last: 10 },
      gate: {
        ask_from: 3,
        allow: [],
        deny: [],
        tools: {},
        callers: {},
        platforms: {},
        backends: {},
        taint: true,
        wait_s: 300,
      },
      tools: { checkpoints: true, inspect_machine: true },
      web: { allow_private: [] },
      memory: {
        enabled: true,
        recall: true,
        context_limit: 6,
        ranking: 'hybrid',
        embedder: 'local',
        provider: 'none',
        write_approval: false,
        review: true,
        review_every: 10,
        summaries: true,
      },
      skills: { offer: true, disabled: [], projects: [], registries: [], trusted: [], index_tokens: 600 },
      learning: {
        enabled: true,
        threshold: 3,
        reflect_every: 15,
        approve: false,
        stale_days: 30,
        archive_days: 90,
      },
      incidents: {
        baseline_minutes: 60,
        lead_seconds: 180,
        collect_seconds: 30,
        recheck_seconds: [30, 60, 120, 300, 600],
        most_rounds: 12,
        approval_hours: 12,
        execute: false,
        operations: [],
        second_reader: true,
        unattended: false,
        publish_skills: true,
        confirm_always: false,
        confirm_word: 'CONFIRM_EXECUTE',
        confidence: 0.5,
        settle_seconds: 60,
        check_seconds: 60,
        stable_checks: 3,
        most_checks: 10,
        group_minutes: 10,
        zone: 'UTC',
        retain_hours: 6,
      },
      server: { host: '127.0.0.1', port: 8_000, allowed_hosts: [], openapi: false },
      logs: { level: 'info' },
      tracing: { service: 'hermes', ratio: 1 },
      plugins: { allowed: [] },
      providers: {},
      prices: {},
    });
  });

  it.each(['', '# only a comment\n', 'llm:\n  # model: later\nproviders:\n'])(
    'takes %j for all defaults',
    async (yaml) => {
      expect((await load(yaml)).config).toEqual((await load('{}')).config);
    },
  );

  it('reads a full configuration', async () => {
    const { config } = await load(
      `language: zh
llm:
  provider: openai
  model: gpt-4o
  temperature: 0.3
  thinking: off
  fallback:
    - {provider: deepseek, model: deepseek-chat}
  tiers:
    simple_qa: openai/gpt-4o-mini
    complex_reasoning: {provider: anthropic, model: claude}
providers:
  mine: {base_url: "http://127.0.0.1:9/v1", auth: none, self_hosted: true, headers: {X-Team: ops}}
prices:
  gpt-4.1: {input: 2, output: 8}
`,
    );
    expect(config.llm).toMatchObject({ model: 'gpt-4o', temperature: 0.3, thinking: 'off' });
    expect(config.llm.tiers?.complex_reasoning).toEqual({ provider: 'anthropic', model: 'claude' });
    expect(config.providers['mine']?.self_hosted).toBe(true);
    expect(config.prices['gpt-4.1']?.output).toBe(8);
  });
});

describe('what is refused', () => {
  it('tells where YAML breaks, with the line, and no key in it', async () => {
    const lines = await problems('language: en\nllm:\n  model: a: b\n  api_key: hunter2: x\n');
    expect(lines).toEqual([
      expect.stringMatching(/^\/config\.yaml:3:10: .+ in: model: a: b$/),
      expect.stringMatching(/^\/config\.yaml:4:12: .+ in: api_key: \[hidden\]$/),
    ]);
    expect(await problems('llm:\n  credentials:\n    keys: [${A}]\n')).toContainEqual(
      expect.stringContaining('put quotes around "${NAME}"'),
    );
  });

  it('reports duplicate keys and a text that is no group', async () => {
    expect(await problems('language: en\nlanguage: zh\n')).toEqual([
      expect.stringMatching(/:2:1: Map keys must be unique/),
    ]);
    expect(await problems('just words\n')).toEqual([expect.stringContaining('must hold keys and values')]);
    expect(await problems('- a\n')).toEqual([expect.stringContaining('must hold keys and values')]);
  });

  it('survives a text made to grow without end', async () => {
    const rows = ['a: &a [x, x, x, x, x, x, x, x, x]'];
    for (const [i, name] of [...'bcdefg'].entries()) {
      rows.push(`${name}: &${name} [${Array(9).fill(`*${'abcdefg'[i]}`).join(', ')}]`);
    }
    expect(await problems(rows.join('\n'))).toEqual([expect.stringMatching(/alias/i)]);
  });

  it('lists everything at once, in the order of the file', async () => {
    const lines = await problems(`llm:
  provder: openai
  temperature: hot # comment
  max_retries: 2.5
  thinking: maximal
  api_key: 12345678
  base_url: http://root:hunter2@10.0.0.1/v1
  timeouts: {stall_s: -1, stal_s: 4}
  fallback:
    - provider: a
      modell: x
    - model: y
  tiers: {simple_qa: gpt, code_generation: {provider: a, modl: x}}
  prices: {}
model: gpt-4o
memroy: 1
providers:
  My Own: {base_url: "http://x"}
  b: {base_url: nowhere, self_hosted: maybe}
prices:
  gpt-4.1: {input: cheap}
`);
    expect(lines).toEqual([
      '/config.yaml:2:3: llm.provder: unknown key; did you mean llm.provider?',
      '/config.yaml:3:16: llm.temperature: found hot; allowed: a number from 0 to 2',
      '/config.yaml:4:16: llm.max_retries: found 2.5; allowed: a whole number from 0 to 10',
      '/config.yaml:5:13: llm.thinking: found maximal; allowed: off, low, medium, high',
      '/config.yaml:6:12: llm.api_key: found a number; allowed: text',
      '/config.yaml:7:13: llm.base_url: found http://[hidden]@10.0.0.1/v1; allowed: an http(s) address without a user or password in it',
      '/config.yaml:8:23: llm.timeouts.stall_s: found -1; allowed: a number of at least 0',
      '/config.yaml:8:27: llm.timeouts.stal_s: unknown key; did you mean llm.timeouts.stall_s?',
      '/config.yaml:11:7: llm.fallback[0].modell: unknown key; did you mean llm.fallback[0].model?',
      '/config.yaml:12:7: llm.fallback[1].provider: is missing; needs text that is not empty',
      '/config.yaml:13:22: llm.tiers.simple_qa: found gpt; allowed: provider/model, or a group with the keys provider, model',
      '/config.yaml:13:27: llm.tiers.code_generation.model: is missing; needs text that is not empty',
      '/config.yaml:13:58: llm.tiers.code_generation.modl: unknown key; did you mean llm.tiers.code_generation.model?',
      '/config.yaml:14:3: llm.prices: unknown key here; prices belongs at the top of the file',
      '/config.yaml:15:1: model: unknown key; did you mean llm.model?',
      '/config.yaml:16:1: memroy: unknown key; did you mean memory?',
      '/config.yaml:18:3: providers.My Own: cannot be a name here; allowed: a name of small letters, digits, - _ and .',
      '/config.yaml:19:17: providers.b.base_url: found nowhere; allowed: an http(s) address without a user or password in it',
      '/config.yaml:19:39: providers.b.self_hosted: found maybe; allowed: true or false',
      '/config.yaml:21:20: prices["gpt-4.1"].input: found cheap; allowed: a number of at least 0',
      '/config.yaml:21:3: prices["gpt-4.1"].output: is missing; needs a number of at least 0',
    ]);
  });

  it('says how to mend it', async () => {
    await expect(load('x: 1')).rejects.toMatchObject({ record: { hint: 'To mend it: hermes config edit' } });
    await expect(load('', { HERMES_LANGUAGE: 'fr' })).rejects.toMatchObject({
      record: { hint: expect.stringContaining('environment variable') },
    });
  });

  it('does not take an unreadable file for a missing one', async () => {
    await mkdir(home.file('config.yaml'));
    await expect(loadConfig(home, {})).rejects.toMatchObject({ record: { code: 'config.unreadable' } });
  });
});

describe('variables', () => {
  it('expands them everywhere, the process before .env', async () => {
    const yaml = 'llm:\n  api_key: ${KEY}\n  model: ${M}-${N}\n  temperature: ${T}\n';
    const { config, env, warnings } = await load(
      yaml,
      { KEY: 'process', M: 'a', T: '0.5' },
      'KEY=file\nN=b\n',
    );
    expect(config.llm).toMatchObject({ api_key: 'process', model: 'a-b', temperature: 0.5 });
    expect(env).toMatchObject({ KEY: 'process', N: 'b' });
    expect(warnings).toEqual([]);
  });

  it('does not expand what a variable holds', async () => {
    const { config } = await load('llm: {api_key: "${A}"}', { A: '$& ${B} $1', B: 'no' });
    expect(config.llm.api_key).toBe('$& ${B} $1');
  });

  it('warns of unset ones with variable, key and line, and goes on', async () => {
    const yaml = `llm:
  provider: openai
  api_key: \${NO_KEY}
  model: \${NO_MODEL}
  max_retries: \${NO_NUMBER}
providers:
  mine: {base_url: "\${NO_URL}"}
`;
    const { config, warnings } = await load(yaml);
    expect(config.llm).toMatchObject({ api_key: '', max_retries: 3 });
    expect(config.llm).not.toHaveProperty('model');
    expect(config.providers['mine']?.base_url).toBe('');
    expect(warnings.map(({ line, path, message }) => [line, path, message])).toEqual([
      [3, 'llm.api_key', '${NO_KEY} is not set'],
      [4, 'llm.model', '${NO_MODEL} is not set'],
      [5, 'llm.max_retries', '${NO_NUMBER} is not set'],
      [7, 'providers.mine.base_url', '${NO_URL} is not set'],
    ]);
  });

  it('never shows what a variable holds', async () => {
    const lines = await problems('llm:\n  temperature: ${HOT}\n', { HOT: 'hunter2hunter2' });
    expect(lines).toEqual([
      '/config.yaml:2:16: llm.temperature: found ${HOT}; allowed: a number from 0 to 2',
    ]);
  });

  it('warns of a key in clear text without showing it', async () => {
    const { warnings } = await load(
      'llm:\n  api_key: sk-hunter2hunter2hunter2\n  fallback: [{provider: a, api_key: xyz}]\n',
    );
    expect(warnings.map(({ path }) => path)).toEqual(['llm.api_key', 'llm.fallback[0].api_key']);
    expect(JSON.stringify(warnings)).not.toMatch(/hunter2|xyz/);
  });
});

describe('settings of the environment', () => {
  const yaml = `llm:
  provider: openai
  model: gpt-4o
  base_url: https://proxy.example/v1
  api_key: \${OPENAI_API_KEY}
  credentials: {keys: ["\${OTHER}"]}
  fallback: [{provider: deepseek}]
`;
  const keys = { OPENAI_API_KEY: 'k', OTHER: 'o' };

  it('come before the file, HERMES_ before RUNBOOK_', async () => {
    const env = {
      ...keys,
      RUNBOOK_MODEL_NAME: 'a',
      HERMES_MODEL: 'b',
      RUNBOOK_MODEL_TEMPERATURE: '0',
      HERMES_LANGUAGE: 'zh',
    };
    const { config } = await load(yaml, env);
    expect(config.language).toBe('zh');
    expect(config.llm).toMatchObject({ provider: 'openai', model: 'b', temperature: 0, api_key: 'k' });
  });

  it('count from .env too, and empty ones do not count', async () => {
    const { config } = await load(
      yaml,
      { ...keys, HERMES_MODEL: '', RUNBOOK_MODEL_NAME: '' },
      'RUNBOOK_MODEL_API_KEY=r\n',
    );
    expect(config.llm).toMatchObject({ model: 'gpt-4o', api_key: 'r' });
  });

  it('do not send the keys of one provider to another', async () => {
    const { config } = await load(yaml, { ...keys, HERMES_PROVIDER: 'deepseek' });
    expect(config.llm.provider).toBe('deepseek');
    expect(config.llm.api_key ?? config.llm.base_url ?? config.llm.model).toBeUndefined();
    expect(config.llm.credentials.keys).toEqual([]);
    expect((await load(yaml, { ...keys, HERMES_PROVIDER: 'openai' })).config.llm.api_key).toBe('k');
  });

  it('name any compatible server', async () => {
    const { config } = await load('', {
      RUNBOOK_MODEL_ENABLED: 'true',
      RUNBOOK_MODEL_PROVIDER: 'openai-compatible',
      RUNBOOK_MODEL_BASE_URL: 'https://gateway.example/v1',
      RUNBOOK_MODEL_API_KEY: 'k',
      RUNBOOK_MODEL_NAME: 'm',
    });
    expect(config.llm).toMatchObject({
      provider: 'custom',
      base_url: 'https://gateway.example/v1',
      api_key: 'k',
      model: 'm',
    });
    expect((await load('', { HERMES_BASE_URL: 'http://127.0.0.1:1/v1' })).config.llm.provider).toBe('custom');
  });

  it('can turn the model off', async () => {
    const { config } = await load(yaml, { ...keys, RUNBOOK_MODEL_ENABLED: 'false', HERMES_MODEL: 'x' });
    expect(config.llm).toMatchObject({ provider: 'local', fallback: [] });
    expect(config.llm.model ?? config.llm.api_key ?? config.llm.base_url).toBeUndefined();
  });

  it('are checked, under their own names', async () => {
    const lines = await problems('llm:\n  temperature: 1\n', {
      RUNBOOK_MODEL_TEMPERATURE: '9',
      HERMES_BASE_URL: 'http://u:hunter2@x',
    });
    expect(lines.toSorted()).toEqual([
      'HERMES_BASE_URL: llm.base_url: found "http://[hidden]@x"; allowed: an http(s) address without a user or password in it',
      'RUNBOOK_MODEL_TEMPERATURE: llm.temperature: found 9; allowed: a number from 0 to 2',
    ]);
  });
});

describe('the environment over the file', () => {
  it('sets groups other than the model, and lists with commas', async () => {
    const { config } = await load('incidents:\n  execute: false\n  confidence: 0.7\n', {
      RUNBOOK_CONTROLLED_EXECUTION_ENABLED: 'true',
      ACTION_EXECUTION_ALLOWED_OPERATIONS: 'rollback_canary, restart_deployment',
      ACTION_EXECUTION_REQUIRE_SECOND_CONFIRMATION: 'true',
      RUNBOOK_MEMORY_CONTEXT_LIMIT: '3',
    });
    expect(config.incidents).toMatchObject({
      execute: true,
      confidence: 0.7,
      operations: ['rollback_canary', 'restart_deployment'],
      confirm_always: true,
    });
    expect(config.memory.context_limit).toBe(3);
  });
});
