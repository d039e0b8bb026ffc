import { defineProvider } from '#spec/ports';

export const provider = defineProvider({
  id: 'deepseek',
  label: 'DeepSeek',
  endpoints: {
    chat_completions: 'https://api.deepseek.com',
    anthropic_messages: 'https://api.deepseek.com/anthropic/v1',
  },
  auth: 'bearer',
  keys: ['DEEPSEEK_API_KEY'],
  keysUrl: 'https://platform.deepseek.com/api_keys',
  defaultModel: 'deepseek-v4-pro',
  // A tool result whose call was reasoned about is refused when the reasoning is missing.
  dialect: {
    maxTokens: 'max_tokens',
    thinking: 'thinking',
    thinkingField: 'reasoning_content',
    replaysThinking: true,
  },
});
