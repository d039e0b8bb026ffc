import { defineProvider } from '#spec/ports';

/** The international site; a key of bigmodel.cn needs `base_url` `https://open.bigmodel.cn/api/paas/v4`. */
export const provider = defineProvider({
  id: 'glm',
  label: 'Z.ai (GLM)',
  endpoints: {
    chat_completions: 'https://api.z.ai/api/paas/v4',
    anthropic_messages: 'https://api.z.ai/api/anthropic/v1',
  },
  auth: 'bearer',
  keys: ['ZAI_API_KEY', 'GLM_API_KEY', 'ZHIPU_API_KEY'],
  keysUrl: 'https://z.ai/manage-apikey/apikey-list',
  defaultModel: 'glm-5.3',
  // GLM-5.3 always thinks and refuses to be told not to, so thinking is graded and never switched off.
  dialect: {
    maxTokens: 'max_tokens',
    thinking: 'reasoning_effort',
    thinkingField: 'reasoning_content',
    replaysThinking: true,
  },
});
