import { defineProvider } from '#spec/ports';

export const provider = defineProvider({
  id: 'nvidia',
  label: 'NVIDIA NIM',
  endpoints: { chat_completions: 'https://integrate.api.nvidia.com/v1' },
  auth: 'bearer',
  keys: ['NVIDIA_API_KEY'],
  keysUrl: 'https://build.nvidia.com/settings/api-keys',
  defaultModel: 'nvidia/nemotron-3-super-120b-a12b',
  // Each model has a closed request schema of its own, and no thinking field is common to all of them.
  dialect: { maxTokens: 'max_tokens', thinking: 'none', thinkingField: 'reasoning_content' },
});
