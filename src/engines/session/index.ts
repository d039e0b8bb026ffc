export type { ApprovalsDesk } from './approvals-desk.ts';
export type { Conversation, SlashCommandInfo, SlashResult, TurnResult } from './conversation.ts';
export type { EndedTurn } from './message-run.ts';
export { openConversation, type PermitScope } from './open-conversation.ts';
export { assemblePrompt, type PromptInputs, SMALL_WINDOW } from './prompt/assemble-prompt.ts';
export { PLATFORM_HINTS } from './prompt/guidance.ts';
export { sessionTools } from './session-tools.ts';
export type { SlashCommand } from './slash-command.ts';
export { slashCommandNames } from './slash-command-names.ts';
