import { defineProvider } from '#spec/ports';

export const provider = defineProvider({
  id: 'openrouter',
  label: 'OpenRouter',
  endpoints: {
    chat_completions: 'https://openrouter.ai/api/v1',
    anthropic_messages: 'https://openrouter.ai/api/v1',
  },
  auth: 'bearer',
  keys: ['OPENROUTER_API_KEY'],
  keysUrl: 'https://openrouter.ai/settings/keys',
  defaultModel: 'anthropic/claude-sonnet-5.5',
  dialect: { maxTokens: 'max_tokens', thinking: 'reasoning', thinkingField: 'reasoning', cacheControl: true },
});
