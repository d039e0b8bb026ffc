import { z } from 'zod';
import { defineProvider, type ListedModel, type ProbeFetch } from '#spec/ports';

const Window = z.int().positive().optional().catch(undefined);
const Named = z.object({ name: z.string(), context_length: Window });
const Listing = z.object({ models: z.array(Named.nullable().catch(null)) }).catch({ models: [] });
const Shown = z
  .object({
    model_info: z.record(z.string(), z.unknown()).catch({}),
    parameters: z.string().catch(''),
    capabilities: z.array(z.string()).optional().catch(undefined),
  })
  .catch({ model_info: {}, parameters: '', capabilities: undefined });

/** What the model was trained for, or less when its Modelfile sets `num_ctx`. */
function windowOf({ model_info, parameters }: z.infer<typeof Shown>): number | undefined {
  const trained = Window.parse(model_info[`${model_info['general.architecture']}.context_length`]);
  const set = Window.parse(Number(/^num_ctx\s+(\d+)/m.exec(parameters)?.[1]));
  return set && trained ? Math.min(set, trained) : (set ?? trained);
}

/**
 * A loaded model has the window that the server allocated, which is often far smaller than the trained
 * one (4,096 by default on a small GPU), and Ollama drops what does not fit without a word.
 */
async function listModels(fetch: ProbeFetch): Promise<readonly ListedModel[]> {
  const [tags, running] = await Promise.all([fetch('/api/tags'), fetch('/api/ps')]);
  const allocated = new Map(
    Listing.parse(running).models.flatMap((model) => (model ? [[model.name, model.context_length]] : [])),
  );
  const names = Listing.parse(tags).models.flatMap((model) => (model ? [model.name] : []));
  const models = await Promise.all(
    names.map(async (id): Promise<readonly ListedModel[]> => {
      const shown = Shown.parse(await fetch('/api/show', { model: id }));
      if (shown.capabilities && !shown.capabilities.includes('completion')) return [];
      const window = allocated.get(id) ?? windowOf(shown);
      return [{ id, loaded: allocated.has(id), ...(window ? { contextWindow: window } : {}) }];
    }),
  );
  return models.flat();
}

export const provider = defineProvider({
  id: 'ollama',
  label: 'Ollama',
  endpoints: {
    chat_completions: 'http://127.0.0.1:11434/v1',
    anthropic_messages: 'http://127.0.0.1:11434/v1',
  },
  auth: 'bearer',
  keys: ['OLLAMA_API_KEY'],
  selfHosted: true,
  dialect: { maxTokens: 'max_tokens', thinkingField: 'reasoning' },
  listModels,
});
