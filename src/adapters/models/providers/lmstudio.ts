import { z } from 'zod';
import { defineProvider, type ListedModel, type ProbeFetch } from '#spec/ports';

const Window = z.int().positive().optional().catch(undefined);
const Known = z.object({
  id: z.string(),
  type: z.string().optional().catch(undefined),
  state: z.string().optional().catch(undefined),
  max_context_length: Window,
  loaded_context_length: Window,
});
const Listing = z.object({ data: z.array(Known.nullable().catch(null)) });

const Instance = z.object({ config: z.object({ context_length: Window }) });
const NativeKnown = z.object({
  key: z.string(),
  type: z.string().optional().catch(undefined),
  max_context_length: Window,
  loaded_instances: z.array(Instance.nullable().catch(null)).catch([]),
});
const NativeListing = z.object({ models: z.array(NativeKnown.nullable().catch(null)) }).catch({ models: [] });

const listed = (id: string, loaded: boolean, window: number | undefined): ListedModel => ({
  id,
  loaded,
  ...(window ? { contextWindow: window } : {}),
});

const isEmbedder = (type: string | undefined): boolean => type?.startsWith('embedding') ?? false;

/** `/api/v0` is asked first; releases that dropped it answer at `/api/v1`, in another shape. */
async function listModels(fetch: ProbeFetch): Promise<readonly ListedModel[]> {
  const old = Listing.safeParse(await fetch('/api/v0/models'));
  if (old.success) {
    return old.data.data.flatMap((model) => {
      if (!model || isEmbedder(model.type)) return [];
      const window = model.loaded_context_length ?? model.max_context_length;
      return [listed(model.id, model.state === 'loaded', window)];
    });
  }
  return NativeListing.parse(await fetch('/api/v1/models')).models.flatMap((model) => {
    if (!model || isEmbedder(model.type)) return [];
    const [instance] = model.loaded_instances;
    const window = instance?.config.context_length ?? model.max_context_length;
    return [listed(model.key, model.loaded_instances.length > 0, window)];
  });
}

export const provider = defineProvider({
  id: 'lmstudio',
  label: 'LM Studio',
  endpoints: {
    chat_completions: 'http://127.0.0.1:1234/v1',
    anthropic_messages: 'http://127.0.0.1:1234/v1',
  },
  auth: 'bearer',
  keys: ['LMSTUDIO_API_KEY'],
  selfHosted: true,
  dialect: { maxTokens: 'max_tokens', thinkingField: 'reasoning_content' },
  listModels,
});
