import { defineProvider } from '#spec/ports';

export const provider = defineProvider({
  id: 'groq',
  label: 'Groq',
  endpoints: { chat_completions: 'https://api.groq.com/openai/v1' },
  auth: 'bearer',
  keys: ['GROQ_API_KEY'],
  keysUrl: 'https://console.groq.com/keys',
  defaultModel: 'openai/gpt-oss-120b',
  dialect: { thinkingField: 'reasoning' },
});
