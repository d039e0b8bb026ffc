import { expandVariables } from '#kit/expand-variables';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { PROTOCOL_IDS } from '#spec/data';
import type { ListedModel, ProbeFetch, Provider } from '#spec/ports';
import { lookUpModel } from '../model-table.ts';
import { provider as llamacpp } from './llamacpp.ts';
import { provider as lmstudio } from './lmstudio.ts';
import { provider as ollama } from './ollama.ts';
import { provider as vllm } from './vllm.ts';

const files = readdirSync(import.meta.dirname).filter((file) => !file.endsWith('.test.ts'));
const providers = await Promise.all(
  files.map(async (file) => {
    const name = file.replace(/\.ts$/, '');
    const { provider } = (await import(/* @vite-ignore */ `./${name}.ts`)) as { provider: Provider };
    return { name, provider };
  }),
);

/** A value of an environment variable that makes the template whole. */
const filled = (template: string): string =>
  expandVariables(template.replace(/^\$\{\w+\}/, 'https://set.example'), {}, () => undefined);

describe.each(providers)('$name', ({ name, provider }) => {
  it('has the id that its file is named for', () => {
    expect(provider.id).toBe(name);
    expect(provider.label).not.toBe('');
  });

  it('has endpoints that are base URLs of known protocols', () => {
    const endpoints = Object.entries(provider.endpoints);
    expect(endpoints).not.toEqual([]);
    for (const [protocol, template] of endpoints) {
      expect(PROTOCOL_IDS).toContain(protocol);
      const url = new URL(filled(template));
      expect(template).not.toMatch(/\/$/);
      expect(url.search + url.hash).toBe('');
    }
  });

  it('has the version in an Anthropic base, to which only /messages is added', () => {
    expect(provider.endpoints.anthropic_messages ?? '/v1').toMatch(/\/v1$/);
  });

  it('sends keys over TLS or to this machine only', () => {
    for (const template of Object.values(provider.endpoints)) {
      const url = new URL(filled(template));
      expect(url.protocol === 'https:' || url.hostname === '127.0.0.1').toBe(true);
    }
  });

  it('names environment variables for its key', () => {
    expect(provider.keys.filter((key) => !/^[A-Z][A-Z0-9_]+$/.test(key))).toEqual([]);
    expect(provider.keys).not.toEqual([]);
  });

  it('tells where to get a key, unless it is the user’s own server', () => {
    expect(provider.selfHosted || URL.canParse(provider.keysUrl ?? '')).toBe(true);
  });

  it('has a default model that the table knows, unless models are the user’s own', () => {
    const known = lookUpModel(provider.defaultModel ?? '') !== undefined;
    expect(known).toBe(!provider.selfHosted && name !== 'azure');
  });
});

it('no key is read by two vendors', () => {
  const keys = providers.flatMap(({ provider }) => provider.keys);
  expect(keys.toSorted()).toEqual([...new Set(keys)].toSorted());
});

type Answer = (body: unknown) => unknown;
let close: () => void = () => {};
afterEach(() => close());

/** Answers `path` with what `answers` has for it, as JSON or, when it is a string, as it stands. */
async function serve(answers: Readonly<Record<string, Answer>>): Promise<ProbeFetch> {
  const server = createServer(async (request, response) => {
    const answer = answers[request.url ?? ''];
    let text = '';
    for await (const chunk of request) text += String(chunk);
    if (!answer) return void response.writeHead(404).end('{"error":"not found"}');
    const body = answer(text ? JSON.parse(text) : undefined);
    response.writeHead(200).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  close = () => server.close();
  const { port } = server.address() as AddressInfo;
  return async (path, body) => {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
    return response.ok ? response.json().catch(() => undefined) : undefined;
  };
}

const list = async (
  provider: Provider,
  answers: Readonly<Record<string, Answer>>,
): Promise<readonly ListedModel[]> => (await provider.listModels?.(await serve(answers))) ?? [];

describe('ollama lists models', () => {
  const shown: Readonly<Record<string, unknown>> = {
    'qwen3:8b': {
      capabilities: ['completion', 'tools'],
      model_info: { 'general.architecture': 'qwen3', 'qwen3.context_length': 40_960 },
      parameters: 'temperature                    0.6\nstop                           "<|im_end|>"',
    },
    'qwen3-long:8b': {
      model_info: { 'general.architecture': 'qwen3', 'qwen3.context_length': 40_960 },
      parameters: 'num_ctx                        16384\ntop_k                          20',
    },
    'too-long:8b': {
      model_info: { 'general.architecture': 'llama', 'llama.context_length': 8_192 },
      parameters: 'num_ctx 65536',
    },
    'gemma3:4b': { model_info: { 'general.architecture': 'gemma3', 'gemma3.context_length': 131_072 } },
    'nomic-embed-text': { capabilities: ['embedding'], model_info: {} },
    'bare:latest': {},
  };
  const answers: Readonly<Record<string, Answer>> = {
    '/api/tags': () => ({ models: Object.keys(shown).map((name) => ({ name, model: name, size: 1 })) }),
    '/api/ps': () => ({ models: [{ name: 'gemma3:4b', size_vram: 1, context_length: 4_096 }] }),
    '/api/show': (body) => shown[(body as { model: string }).model],
  };

  it('with what is allocated, else what is set, else what the model was trained for', async () => {
    expect(await list(ollama, answers)).toEqual([
      { id: 'qwen3:8b', loaded: false, contextWindow: 40_960 },
      { id: 'qwen3-long:8b', loaded: false, contextWindow: 16_384 },
      { id: 'too-long:8b', loaded: false, contextWindow: 8_192 },
      { id: 'gemma3:4b', loaded: true, contextWindow: 4_096 },
      { id: 'bare:latest', loaded: false },
    ]);
  });

  it('when only the list answers', async () => {
    const { '/api/tags': tags } = answers;
    const models = await list(ollama, { '/api/tags': tags as Answer });
    expect(models).toContainEqual({ id: 'qwen3:8b', loaded: false });
  });

  it('past entries that make no sense', async () => {
    const models = await list(ollama, {
      '/api/tags': () => ({ models: [null, 7, { size: 1 }, { name: 'ok', context_length: 'many' }] }),
      '/api/ps': () => '<html>',
      '/api/show': () => ({ model_info: [], parameters: 3, capabilities: 'completion' }),
    });
    expect(models).toEqual([{ id: 'ok', loaded: false }]);
  });
});

describe('lmstudio lists models', () => {
  it('with the loaded window before the largest one, and without embedders', async () => {
    const data = [
      {
        id: 'qwen/qwen3-8b',
        type: 'llm',
        state: 'loaded',
        max_context_length: 131_072,
        loaded_context_length: 8_192,
      },
      { id: 'google/gemma-3-12b', type: 'vlm', state: 'not-loaded', max_context_length: 131_072 },
      { id: 'text-embedding-nomic', type: 'embeddings', state: 'not-loaded', max_context_length: 2_048 },
      { id: 'bare' },
      'junk',
    ];
    expect(await list(lmstudio, { '/api/v0/models': () => ({ object: 'list', data }) })).toEqual([
      { id: 'qwen/qwen3-8b', loaded: true, contextWindow: 8_192 },
      { id: 'google/gemma-3-12b', loaded: false, contextWindow: 131_072 },
      { id: 'bare', loaded: false },
    ]);
  });

  it('from the newer API when the older one is gone', async () => {
    const models = [
      {
        key: 'openai/gpt-oss-20b',
        type: 'llm',
        max_context_length: 131_072,
        loaded_instances: [{ id: 'openai/gpt-oss-20b', config: { context_length: 32_768 } }],
      },
      { key: 'google/gemma-3-4b', type: 'llm', max_context_length: 131_072, loaded_instances: [] },
      { key: 'nomic', type: 'embedding', max_context_length: 2_048, loaded_instances: [] },
      { type: 'llm' },
    ];
    expect(await list(lmstudio, { '/api/v1/models': () => ({ models }) })).toEqual([
      { id: 'openai/gpt-oss-20b', loaded: true, contextWindow: 32_768 },
      { id: 'google/gemma-3-4b', loaded: false, contextWindow: 131_072 },
    ]);
  });
});

describe('llamacpp lists models', () => {
  const props = {
    default_generation_settings: { n_ctx: 16_384, params: {} },
    total_slots: 4,
    model_alias: 'q',
  };

  it('with the window of a slot', async () => {
    const data = [{ id: 'qwen3-8b.gguf', object: 'model', meta: { n_ctx_train: 40_960, n_params: 8 } }];
    expect(await list(llamacpp, { '/v1/models': () => ({ data }), '/props': () => props })).toEqual([
      { id: 'qwen3-8b.gguf', loaded: true, contextWindow: 16_384 },
    ]);
  });

  it('with the trained window when /props is closed', async () => {
    const data = [{ id: 'a', meta: { n_ctx_train: 40_960 } }];
    expect(await list(llamacpp, { '/v1/models': () => ({ data }) })).toEqual([
      { id: 'a', loaded: true, contextWindow: 40_960 },
    ]);
  });

  it('of a router without giving all of them the window of one', async () => {
    const data = [
      { id: 'a', status: { value: 'loaded' }, meta: { n_ctx: 8_192 } },
      { id: 'b', status: { value: 'unloaded' }, meta: null },
    ];
    expect(await list(llamacpp, { '/v1/models': () => ({ data }), '/props': () => props })).toEqual([
      { id: 'a', loaded: true, contextWindow: 8_192 },
      { id: 'b', loaded: false },
    ]);
  });
});

it('vllm lists models with the length they are served with', async () => {
  const data = [
    { id: 'Qwen/Qwen3-32B', object: 'model', max_model_len: 32_768 },
    { id: 'adapter', max_model_len: null },
    { id: 5 },
    undefined,
  ];
  expect(await list(vllm, { '/v1/models': () => ({ object: 'list', data }) })).toEqual([
    { id: 'Qwen/Qwen3-32B', loaded: true, contextWindow: 32_768 },
    { id: 'adapter', loaded: true },
  ]);
});

describe.each([ollama, lmstudio, llamacpp, vllm])('$id', (provider) => {
  const paths = [
    '/api/tags',
    '/api/ps',
    '/api/show',
    '/api/v0/models',
    '/api/v1/models',
    '/v1/models',
    '/props',
  ];

  it('lists nothing when no probe answers', async () => {
    expect(await list(provider, {})).toEqual([]);
  });

  it.each([['a string'], [[]], [{}], [{ data: 3, models: { a: 1 } }], [null]])(
    'lists nothing for %j',
    async (junk) => {
      const answers = Object.fromEntries(paths.map((path) => [path, () => JSON.stringify(junk)]));
      expect(await list(provider, answers)).toEqual([]);
    },
  );

  it('lists nothing when the answers are not JSON', async () => {
    const answers = Object.fromEntries(paths.map((path) => [path, () => '<html></html>']));
    expect(await list(provider, answers)).toEqual([]);
  });
});
