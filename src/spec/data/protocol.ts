import { z } from 'zod';

/** The four wire protocols a model can be reached through, and the built-in operator that needs none. */
export const PROTOCOL_IDS = [
  'chat_completions',
  'codex_responses',
  'anthropic_messages',
  'bedrock_converse',
] as const;

export const ProtocolId = z.enum(PROTOCOL_IDS);
export type ProtocolId = z.infer<typeof ProtocolId>;
