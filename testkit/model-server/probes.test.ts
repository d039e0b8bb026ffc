import { describe, expect, it } from 'vitest';
import { answerProbe, type ProbeRequest } from './probes.ts';

const models = [{ id: 'qwen', contextWindow: 32_768 }, { id: 'plain' }];
const get = (path: string): ProbeRequest => ({ method: 'GET', path, body: undefined, anthropic: false });
const post = (path: string, body: unknown): ProbeRequest => ({
  method: 'POST',
  path,
  body,
  anthropic: false,
});

describe('probes', () => {
  it.each([
    ['/v1/models', { data: [{ id: 'qwen', max_model_len: 32_768 }, { id: 'plain' }] }],
    ['/api/tags', { models: [{ name: 'qwen' }, { name: 'plain' }] }],
    ['/api/ps', { models: [{ name: 'qwen', context_length: 32_768 }, { name: 'plain' }] }],
    [
      '/api/v0/models',
      {
        data: [
          { id: 'qwen', state: 'loaded', max_context_length: 32_768, loaded_context_length: 32_768 },
          {},
        ],
      },
    ],
    ['/props', { default_generation_settings: { n_ctx: 32_768 } }],
  ])('GET %s tells the models and their windows', (path, body) => {
    expect(answerProbe(get(path), models)).toMatchObject({ status: 200, body });
  });

  it('POST /api/show tells one model, and 404 for one it does not have', () => {
    expect(answerProbe(post('/api/show', { model: 'qwen' }), models)).toMatchObject({
      body: { model_info: { 'general.architecture': 'scripted', 'scripted.context_length': 32_768 } },
    });
    expect(answerProbe(post('/api/show', { model: 'other' }), models)?.status).toBe(404);
  });

  it('lets only known keys list models', () => {
    expect(answerProbe(get('/v1/models'), models, ['good'], 'bad')?.status).toBe(401);
    expect(answerProbe(get('/v1/models'), models, ['good'], 'good')?.status).toBe(200);
  });

  it('answers nothing else', () => {
    expect(answerProbe(get('/v1/else'), models)).toBeUndefined();
    expect(answerProbe(post('/v1/models', {}), models)).toBeUndefined();
  });
});
