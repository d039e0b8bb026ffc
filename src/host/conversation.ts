export type { Conversation, SlashCommandInfo, SlashResult, TurnResult } from '#engines/session';
