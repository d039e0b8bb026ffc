// Written by `npm run gen` from the files in models/protocols. Do not edit.
export const protocols = {
  anthropic_messages: async () => (await import('./protocols/anthropic-messages.ts')).protocol,
  bedrock_converse: async () => (await import('./protocols/bedrock-converse.ts')).protocol,
  chat_completions: async () => (await import('./protocols/chat-completions.ts')).protocol,
  codex_responses: async () => (await import('./protocols/codex-responses.ts')).protocol,
} as const;
