import { newId } from './new-id.ts';
import { anthropicFailure } from './protocols/anthropic-failure.ts';
import { openAiFailure } from './protocols/openai-failure.ts';
import { asRecord, asText } from './read-json.ts';
import type { ScriptedModel } from './script.ts';

/** What a probe asks: the path, the body of a POST, and whether it comes from an Anthropic client. */
export interface ProbeRequest {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly anthropic: boolean;
}

export interface ProbeAnswer {
  readonly status: number;
  readonly body: unknown;
}

const SINCE = '2025-01-01T00:00:00Z';
const ARCHITECTURE = 'scripted';
const DEFAULT_MODELS: readonly ScriptedModel[] = [{ id: 'scripted' }];

/** `max_model_len` is what vLLM adds to OpenAI's list. */
const openAiList = (models: readonly ScriptedModel[]) => ({
  object: 'list',
  data: models.map(({ id, contextWindow }) => ({
    id,
    object: 'model',
    created: Date.parse(SINCE) / 1000,
    owned_by: 'testkit',
    ...(contextWindow === undefined ? {} : { max_model_len: contextWindow }),
  })),
});

const anthropicList = (models: readonly ScriptedModel[]) => ({
  data: models.map(({ id, contextWindow }) => ({
    type: 'model',
    id,
    display_name: id,
    created_at: SINCE,
    ...(contextWindow === undefined ? {} : { max_input_tokens: contextWindow }),
  })),
  has_more: false,
  first_id: models[0]?.id ?? null,
  last_id: models.at(-1)?.id ?? null,
});

const ollamaDetails = {
  format: 'gguf',
  family: ARCHITECTURE,
  parameter_size: '1B',
  quantization_level: 'Q8_0',
};

const ollamaTags = (models: readonly ScriptedModel[]) => ({
  models: models.map(({ id }) => ({
    name: id,
    model: id,
    modified_at: SINCE,
    size: 1,
    digest: newId(''),
    details: ollamaDetails,
  })),
});

const ollamaRunning = (models: readonly ScriptedModel[]) => ({
  models: models.map(({ id, contextWindow }) => ({
    name: id,
    model: id,
    size: 1,
    digest: newId(''),
    details: ollamaDetails,
    expires_at: '2099-01-01T00:00:00Z',
    size_vram: 0,
    ...(contextWindow === undefined ? {} : { context_length: contextWindow }),
  })),
});

function ollamaShow(models: readonly ScriptedModel[], body: unknown): ProbeAnswer {
  const wanted = asText(asRecord(body).model) || asText(asRecord(body).name);
  const model = models.find(({ id }) => id === wanted);
  if (!model) return { status: 404, body: { error: `model '${wanted}' not found` } };
  const window = model.contextWindow;
  return {
    status: 200,
    body: {
      modelfile: `FROM ${model.id}`,
      parameters: '',
      details: ollamaDetails,
      model_info: {
        'general.architecture': ARCHITECTURE,
        ...(window === undefined ? {} : { [`${ARCHITECTURE}.context_length`]: window }),
      },
      capabilities: ['completion', 'tools'],
    },
  };
}

const lmStudioList = (models: readonly ScriptedModel[]) => ({
  object: 'list',
  data: models.map(({ id, contextWindow }) => ({
    id,
    object: 'model',
    type: 'llm',
    publisher: 'testkit',
    arch: ARCHITECTURE,
    state: 'loaded',
    ...(contextWindow === undefined
      ? {}
      : { max_context_length: contextWindow, loaded_context_length: contextWindow }),
  })),
});

const llamaCppProps = ([model]: readonly ScriptedModel[]) => ({
  default_generation_settings: {
    id: 0,
    ...(model?.contextWindow === undefined ? {} : { n_ctx: model.contextWindow }),
  },
  total_slots: 1,
  model_path: model?.id ?? '',
});

function wrongKey(anthropic: boolean): ProbeAnswer {
  const failure = { kind: 'auth', model: '', requestId: newId('req_'), tokens: 0, window: 0 } as const;
  return anthropic ? anthropicFailure(failure) : openAiFailure(failure);
}

const ok = (body: unknown): ProbeAnswer => ({ status: 200, body });

/**
 * Answers the questions by which a client finds out what a server has; undefined for any other path.
 * Vendors let only known keys list their models.
 */
export function answerProbe(
  probe: ProbeRequest,
  scripted: readonly ScriptedModel[] | undefined,
  keys?: readonly string[],
  key = '',
): ProbeAnswer | undefined {
  const models = scripted ?? DEFAULT_MODELS;
  const { method, path } = probe;
  if (method === 'POST') return path === '/api/show' ? ollamaShow(models, probe.body) : undefined;
  if (method !== 'GET') return undefined;
  if (path === '/api/tags') return ok(ollamaTags(models));
  if (path === '/api/ps') return ok(ollamaRunning(models));
  if (path === '/api/v0/models') return ok(lmStudioList(models));
  if (path === '/props') return ok(llamaCppProps(models));
  if (!path.endsWith('/models')) return undefined;
  if (keys && !keys.includes(key)) return wrongKey(probe.anthropic);
  return ok(probe.anthropic ? anthropicList(models) : openAiList(models));
}
