import { defineProvider } from '#spec/ports';

/**
 * The international site; a key of the mainland site needs that site's `base_url`.
 * MiniMax recommends its Anthropic-compatible endpoint: only there do thinking blocks keep their shape.
 */
export const provider = defineProvider({
  id: 'minimax',
  label: 'MiniMax',
  endpoints: {
    anthropic_messages: 'https://api.minimax.io/anthropic/v1',
    chat_completions: 'https://api.minimax.io/v1',
  },
  auth: 'bearer',
  keys: ['MINIMAX_API_KEY'],
  keysUrl: 'https://platform.minimax.io/user-center/basic-information/interface-key',
  defaultModel: 'MiniMax-M3',
  dialect: { thinking: 'none' },
});
