import type { Conversation, SlashResult } from '#app/conversation';
import { toErrorRecord } from '#kit/app-error';
import { safeLine } from '../safe-text.ts';
import type { AskUser } from '#spec/ports';
import type { ChatScreen } from './chat-screen.ts';
import { hanging, itemLines } from './item-lines.ts';
import { linesBlock } from './lines-block.ts';
import { markdownView } from './markdown-view.ts';
import { showPast } from './opening.ts';
import type { TurnBlockOptions } from './turn-block.ts';
import type { TurnRunner } from './turn-runner.ts';

export interface CommandRunner {
  run(line: string): Promise<void>;
  readonly running: boolean;
  interrupt(): void;
}

export interface CommandRunnerOptions {
  readonly conversation: Conversation;
  readonly screen: ChatScreen;
  readonly blocks: TurnBlockOptions;
  readonly turns: TurnRunner;
  readonly ask: AskUser;
  readonly leave: () => void;
}

/** Runs slash commands and shows what they say. */
export function commandRunner({
  conversation,
  screen,
  blocks,
  turns,
  ask,
  leave,
}: CommandRunnerOptions): CommandRunner {
  const { theme, text } = blocks;
  let controller: AbortController | undefined;

  const show = async (result: SlashResult) => {
    if (result.reload) {
      screen.wipe();
      screen.transcript.clear();
      await showPast(conversation, screen, blocks);
    }
    if (result.text) {
      const view = markdownView(theme, { tableRows: () => Infinity, clipped: text.ui.clipped });
      view.setText(result.text);
      view.finish();
      screen.transcript.addChild(linesBlock(() => ['']));
      screen.transcript.addChild(view);
    }
    if (result.leave) leave();
  };
  return {
    get running() {
      return controller !== undefined;
    },
    interrupt: () => controller?.abort(),
    run: async (line) => {
      controller = new AbortController();
      const typed = (width: number) => [
        '',
        ...hanging(theme.accent('› '), theme.bold, safeLine(line), width),
      ];
      screen.transcript.addChild(linesBlock(typed));
      let resend: SlashResult['resend'];
      try {
        let result = await conversation.command(line, controller.signal);
        await show(result);
        if (result.next) {
          screen.render();
          const { no, yes } = text.ui;
          const answer = await ask(result.next.question, [no, yes], controller.signal);
          result =
            answer === yes ? await conversation.command(result.next.line, controller.signal) : { text: '' };
          await show(result);
        }
        resend = result.resend;
      } catch (thrown) {
        const item = { kind: 'error', error: toErrorRecord(thrown) } as const;
        const options = { theme, text, now: 0, showThinking: false };
        screen.transcript.addChild(linesBlock((width) => itemLines(item, width, options)));
      } finally {
        controller = undefined;
        screen.render();
      }
      if (resend) await turns.run(resend, '');
    },
  };
}
