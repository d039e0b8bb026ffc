import type { Conversation } from '#app/conversation';
import type { CliContext } from '../command.ts';
import type { ChatOptions } from './options.ts';
import { runPlainChat } from './plain-chat.ts';

/** The chat on a terminal; on a pipe or a terminal that can do nothing, the plain one. Resolves to an exit status. */
export async function runTerminalChat(
  conversation: Conversation,
  context: CliContext,
  options: Partial<ChatOptions> = {},
): Promise<number> {
  const { stdin, stdout, env } = context;
  if (!stdin.isTTY || !stdout.isTTY || env.TERM === 'dumb') return runPlainChat(conversation, context);
  // Loaded here and nowhere else: a pipe never pays for it.
  const { openTerminalChat } = await import('./terminal/terminal-chat.ts');
  return openTerminalChat(conversation, context, { cwd: process.cwd(), ...options });
}

export type { ChatOptions } from './options.ts';
export { runPlainChat } from './plain-chat.ts';
