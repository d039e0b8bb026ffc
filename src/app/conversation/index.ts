export { connectConversation, type ConversationOptions } from './connect-conversation.ts';
export type { Conversation, SlashCommandInfo, SlashResult, TurnResult } from '#engines/session';
