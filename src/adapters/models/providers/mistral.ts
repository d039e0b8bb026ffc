import { defineProvider } from '#spec/ports';

export const provider = defineProvider({
  id: 'mistral',
  label: 'Mistral AI',
  endpoints: { chat_completions: 'https://api.mistral.ai/v1' },
  auth: 'bearer',
  keys: ['MISTRAL_API_KEY'],
  keysUrl: 'https://console.mistral.ai/api-keys',
  defaultModel: 'mistral-medium-latest',
  // Fields it does not know are refused (422); usage arrives with the last chunk unasked.
  dialect: { maxTokens: 'max_tokens', thinking: 'none', noStreamOptions: true },
});
