import { defineProvider } from '#spec/ports';

/**
 * Any OpenAI-compatible endpoint. Only `HERMES_API_KEY` is read: a key that was made for a vendor must not
 * travel to whatever host the base URL names.
 */
export const provider = defineProvider({
  id: 'custom',
  label: 'Custom endpoint',
  endpoints: { chat_completions: '${HERMES_BASE_URL}' },
  auth: 'bearer',
  keys: ['HERMES_API_KEY'],
  selfHosted: true,
  dialect: { maxTokens: 'max_tokens', thinking: 'none' },
});
