import { defineProvider } from '#spec/ports';

export const provider = defineProvider({
  id: 'together',
  label: 'Together AI',
  endpoints: { chat_completions: 'https://api.together.ai/v1' },
  auth: 'bearer',
  keys: ['TOGETHER_API_KEY'],
  keysUrl: 'https://api.together.ai/settings/api-keys',
  defaultModel: 'zai-org/GLM-5.3',
  dialect: { maxTokens: 'max_tokens', thinkingField: 'reasoning_content' },
});
