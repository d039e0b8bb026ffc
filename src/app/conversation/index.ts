export { connectConversation, type ConversationOptions } from './connect-conversation.ts';
