import { defineProvider } from '#spec/ports';

export const provider = defineProvider({
  id: 'gemini',
  label: 'Google Gemini',
  endpoints: { chat_completions: 'https://generativelanguage.googleapis.com/v1beta/openai' },
  auth: 'bearer',
  keys: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  keysUrl: 'https://aistudio.google.com/apikey',
  defaultModel: 'gemini-3.8-flash',
  dialect: { maxTokens: 'max_tokens' },
});
