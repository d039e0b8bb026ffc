import { defineProvider } from '#spec/ports';

/**
 * The endpoint is the resource's own: `https://<name>.openai.azure.com` or, for a Foundry resource that
 * serves Claude as well, `https://<name>.services.ai.azure.com`. A model is named by its deployment, so
 * there is no default one.
 */
export const provider = defineProvider({
  id: 'azure',
  label: 'Azure OpenAI and Microsoft Foundry',
  endpoints: {
    chat_completions: '${AZURE_OPENAI_ENDPOINT}/openai/v1',
    codex_responses: '${AZURE_OPENAI_ENDPOINT}/openai/v1',
    anthropic_messages: '${AZURE_OPENAI_ENDPOINT}/anthropic/v1',
  },
  auth: 'api-key',
  keys: ['AZURE_OPENAI_API_KEY'],
  keysUrl: 'https://ai.azure.com',
  dialect: { cacheKey: true },
});
