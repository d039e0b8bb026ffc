import { z } from 'zod';
import { defineProvider } from '#spec/ports';

const Served = z.object({ id: z.string(), max_model_len: z.int().positive().optional().catch(undefined) });
const Listing = z.object({ data: z.array(Served.nullable().catch(null)) }).catch({ data: [] });

export const provider = defineProvider({
  id: 'vllm',
  label: 'vLLM',
  endpoints: {
    chat_completions: 'http://127.0.0.1:8000/v1',
    anthropic_messages: 'http://127.0.0.1:8000/v1',
  },
  auth: 'bearer',
  keys: ['VLLM_API_KEY'],
  selfHosted: true,
  dialect: { maxTokens: 'max_tokens', thinkingField: 'reasoning' },
  listModels: async (fetch) => {
    const { data } = Listing.parse(await fetch('/v1/models'));
    return data.flatMap((model) => {
      if (!model) return [];
      const window = model.max_model_len;
      return [{ id: model.id, loaded: true, ...(window ? { contextWindow: window } : {}) }];
    });
  },
});
