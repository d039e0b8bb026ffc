import { defineProvider } from '#spec/ports';

/** The international site; a key of the mainland one needs `base_url` `https://api.moonshot.cn/v1`. */
export const provider = defineProvider({
  id: 'kimi',
  label: 'Moonshot AI (Kimi)',
  endpoints: {
    chat_completions: 'https://api.moonshot.ai/v1',
    anthropic_messages: 'https://api.moonshot.ai/anthropic/v1',
  },
  auth: 'bearer',
  keys: ['MOONSHOT_API_KEY', 'KIMI_API_KEY'],
  keysUrl: 'https://platform.moonshot.ai/console/api-keys',
  defaultModel: 'kimi-k3',
  // K3 always thinks and refuses to be told not to, so thinking is graded and never switched off.
  dialect: {
    thinking: 'reasoning_effort',
    thinkingField: 'reasoning_content',
    replaysThinking: true,
    cacheKey: true,
  },
});
