import { defineProvider } from '#spec/ports';

/**
 * The international site (Singapore). Keys belong to a region: one of the mainland site needs `base_url`
 * `https://dashscope.aliyuncs.com/compatible-mode/v1` (or `…/apps/anthropic/v1`), and a workspace's own
 * domain is set in the same way.
 */
export const provider = defineProvider({
  id: 'dashscope',
  label: 'Alibaba Cloud Model Studio (Qwen)',
  endpoints: {
    chat_completions: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
    anthropic_messages: 'https://dashscope-intl.aliyuncs.com/apps/anthropic/v1',
  },
  auth: 'bearer',
  keys: ['DASHSCOPE_API_KEY', 'QWENCLOUD_API_KEY'],
  keysUrl: 'https://modelstudio.console.alibabacloud.com',
  defaultModel: 'qwen3.8-max',
  dialect: {
    maxTokens: 'max_tokens',
    thinking: 'enable_thinking',
    thinkingField: 'reasoning_content',
    cacheControl: true,
  },
});
