import { defineProvider } from '#spec/ports';

export const provider = defineProvider({
  id: 'fireworks',
  label: 'Fireworks AI',
  endpoints: {
    chat_completions: 'https://api.fireworks.ai/inference/v1',
    anthropic_messages: 'https://api.fireworks.ai/inference/v1',
  },
  auth: 'bearer',
  keys: ['FIREWORKS_API_KEY'],
  keysUrl: 'https://app.fireworks.ai/settings/users/api-keys',
  defaultModel: 'accounts/fireworks/models/glm-5p3',
  dialect: { maxTokens: 'max_tokens', thinkingField: 'reasoning_content', cacheKey: true },
});
