import type { Component } from '@earendil-works/pi-tui';
import type { Conversation } from '#app/conversation';
import type { CliContext } from '../../command.ts';
import { pastItems } from '../past-items.ts';
import { safeLine } from '../safe-text.ts';
import type { ChatScreen } from './chat-screen.ts';
import { hanging } from './item-lines.ts';
import { linesBlock } from './lines-block.ts';
import type { Theme } from './theme.ts';
import { type TurnBlockOptions, turnBlock } from './turn-block.ts';

/** Words of the chat itself, in the transcript. */
export const noteBlock = (words: string, theme: Theme): Component =>
  linesBlock((width) => hanging('', theme.dim, words, width));

/** Shows how a conversation stands that is gone on with. False when there is nothing to show. */
export async function showPast(
  conversation: Conversation,
  screen: ChatScreen,
  blocks: TurnBlockOptions,
): Promise<boolean> {
  const { items, earlier } = pastItems(await conversation.messages());
  if (!items.length) return false;
  const { theme, text } = blocks;
  const { title, id } = conversation.session;
  const head = text.ui.resumed(safeLine(title ?? id));
  const words = earlier ? `${head}\n${text.ui.earlier(earlier)}` : head;
  screen.transcript.addChild(noteBlock(words, theme));
  const view = { items, activity: { kind: 'idle' }, startedAt: 0 } as const;
  screen.transcript.addChild(turnBlock(view, blocks));
  screen.render();
  return true;
}

/** Two lines: who answers, and how to begin. */
export function showWelcome(
  conversation: Conversation,
  { version, text }: CliContext,
  screen: ChatScreen,
  theme: Theme,
): void {
  const head = text.ui.welcome(version, safeLine(conversation.model ?? text.ui.operator));
  const lines = (width: number) => [
    ...hanging('', theme.chosen, head, width),
    ...hanging('', theme.dim, text.ui.hints, width),
  ];
  screen.transcript.addChild(linesBlock(lines));
}
