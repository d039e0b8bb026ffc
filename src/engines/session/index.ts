export type { Conversation, SlashCommandInfo, SlashResult, TurnResult } from './conversation.ts';
export { openConversation } from './open-conversation.ts';
export { assemblePrompt, type PromptInputs } from './prompt/assemble-prompt.ts';
export { PLATFORM_HINTS } from './prompt/guidance.ts';
export { sessionTools } from './session-tools.ts';
