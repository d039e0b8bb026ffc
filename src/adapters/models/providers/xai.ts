import { defineProvider } from '#spec/ports';

export const provider = defineProvider({
  id: 'xai',
  label: 'xAI (Grok)',
  endpoints: {
    chat_completions: 'https://api.x.ai/v1',
    codex_responses: 'https://api.x.ai/v1',
  },
  auth: 'bearer',
  keys: ['XAI_API_KEY'],
  keysUrl: 'https://console.x.ai',
  defaultModel: 'grok-4.7',
  dialect: { thinkingField: 'reasoning_content' },
});
