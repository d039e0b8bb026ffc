import { defineProvider } from '#spec/ports';

export const provider = defineProvider({
  id: 'anthropic',
  label: 'Anthropic',
  endpoints: { anthropic_messages: 'https://api.anthropic.com/v1' },
  auth: 'x-api-key',
  keys: ['ANTHROPIC_API_KEY'],
  keysUrl: 'https://platform.claude.com/settings/keys',
  defaultModel: 'claude-sonnet-5-5',
});
