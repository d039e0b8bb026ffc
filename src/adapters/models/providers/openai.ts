import { defineProvider } from '#spec/ports';

export const provider = defineProvider({
  id: 'openai',
  label: 'OpenAI',
  endpoints: {
    codex_responses: 'https://api.openai.com/v1',
    chat_completions: 'https://api.openai.com/v1',
  },
  auth: 'bearer',
  keys: ['OPENAI_API_KEY'],
  keysUrl: 'https://platform.openai.com/api-keys',
  defaultModel: 'gpt-6.1-sol',
  dialect: { cacheKey: true },
});
