import { defineProvider } from '#spec/ports';

export const provider = defineProvider({
  id: 'nous',
  label: 'Nous Research',
  endpoints: { chat_completions: 'https://inference-api.nousresearch.com/v1' },
  auth: 'bearer',
  keys: ['NOUS_API_KEY'],
  keysUrl: 'https://portal.nousresearch.com',
  defaultModel: 'nousresearch/hermes-4-405b',
  dialect: { maxTokens: 'max_tokens', thinking: 'reasoning', thinkingField: 'reasoning' },
});
