import { z } from 'zod';
import { defineProvider, type ListedModel } from '#spec/ports';

const Window = z.int().positive().optional().catch(undefined);
const Served = z.object({
  id: z.string(),
  meta: z.object({ n_ctx: Window, n_ctx_train: Window }).optional().catch(undefined),
  status: z.object({ value: z.string() }).optional().catch(undefined),
});
const Listing = z.object({ data: z.array(Served.nullable().catch(null)) }).catch({ data: [] });
const Props = z
  .object({ default_generation_settings: z.object({ n_ctx: Window }) })
  .transform((props) => props.default_generation_settings.n_ctx)
  .catch(undefined);

/**
 * A server with one model tells in `/props` how much context each slot really has; what the model was
 * trained for is only the upper bound. A router lists several models, of which `/props` says nothing.
 */
function describe(model: z.infer<typeof Served>, slot: number | undefined): ListedModel {
  const window = model.meta?.n_ctx ?? slot ?? model.meta?.n_ctx_train;
  return {
    id: model.id,
    loaded: model.status ? model.status.value === 'loaded' : true,
    ...(window ? { contextWindow: window } : {}),
  };
}

export const provider = defineProvider({
  id: 'llamacpp',
  label: 'llama.cpp',
  endpoints: {
    chat_completions: 'http://127.0.0.1:8080/v1',
    anthropic_messages: 'http://127.0.0.1:8080/v1',
  },
  auth: 'bearer',
  keys: ['LLAMA_API_KEY'],
  selfHosted: true,
  dialect: { maxTokens: 'max_tokens', thinking: 'none', thinkingField: 'reasoning_content' },
  listModels: async (fetch) => {
    const [listing, props] = await Promise.all([fetch('/v1/models'), fetch('/props')]);
    const models = Listing.parse(listing).data.filter((model) => model !== null);
    const slot = models.length === 1 ? Props.parse(props) : undefined;
    return models.map((model) => describe(model, slot));
  },
});
