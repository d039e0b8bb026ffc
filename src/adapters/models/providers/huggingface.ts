import { defineProvider } from '#spec/ports';

export const provider = defineProvider({
  id: 'huggingface',
  label: 'Hugging Face Inference Providers',
  endpoints: { chat_completions: 'https://router.huggingface.co/v1' },
  auth: 'bearer',
  keys: ['HF_TOKEN', 'HUGGINGFACE_API_KEY'],
  keysUrl: 'https://huggingface.co/settings/tokens',
  defaultModel: 'openai/gpt-oss-120b',
  dialect: { maxTokens: 'max_tokens' },
});
