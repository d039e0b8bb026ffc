import type { Text } from '../../text/index.ts';
import type { History } from '../history-file.ts';
import { isCommand } from '../is-command.ts';
import type { PasteFold } from '../paste-fold.ts';
import type { ChatScreen } from './chat-screen.ts';
import type { CommandRunner } from './command-runner.ts';
import type { PromptEditor } from './prompt-editor.ts';
import type { TurnRunner } from './turn-runner.ts';

export interface SubmitterOptions {
  readonly screen: ChatScreen;
  readonly editor: PromptEditor;
  readonly turns: TurnRunner;
  readonly commands: CommandRunner;
  readonly history: History;
  readonly pastes: PasteFold;
  readonly text: Text;
}

/** What Enter does: a command is run, a message begins a turn, or is said to the one that runs. */
export function submitter(options: SubmitterOptions): (typed: string) => void {
  const { screen, editor, turns, commands, history, pastes, text } = options;
  return (typed) => {
    const message = pastes.expand(typed).trim();
    if (!message) return;
    const command = isCommand(message);
    if (commands.running || (command && turns.running)) {
      screen.hint = text.ui.notNow;
      editor.reset(typed);
      return;
    }
    pastes.forget();
    editor.reset();
    void history.add(message);
    if (command) void commands.run(message);
    else if (turns.running) turns.steer(message);
    else void turns.run([{ type: 'text', text: message }], typed.trim());
  };
}
