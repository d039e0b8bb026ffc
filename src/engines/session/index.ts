export type { Conversation, SlashCommandInfo, SlashResult, TurnResult } from './conversation.ts';
export { openConversation, type ConversationDeps } from './open-conversation.ts';
export { assemblePrompt, type PromptInputs } from './prompt/assemble-prompt.ts';
export { PLATFORM_HINTS } from './prompt/guidance.ts';
export type { ReferenceSources } from './references.ts';
export { sessionTools } from './session-tools.ts';
export type { Stores } from './session-state.ts';
