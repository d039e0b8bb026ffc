import type { Conversation } from '#app/conversation';
import type { Text } from '../../text/index.ts';
import { callResults } from '../call-results.ts';
import type { History } from '../history-file.ts';
import type { Asker } from './asker.ts';
import type { ChatScreen } from './chat-screen.ts';
import type { CommandRunner } from './command-runner.ts';
import type { KeyAction } from './key-action.ts';
import { picker } from './picker.ts';
import type { PromptEditor } from './prompt-editor.ts';
import { suspend } from './suspend.ts';
import type { Theme } from './theme.ts';
import type { TurnRunner } from './turn-runner.ts';

const LEAVE_WITHIN_MS = 2_000;

export interface KeyActionsOptions {
  readonly conversation: Conversation;
  readonly screen: ChatScreen;
  readonly editor: PromptEditor;
  readonly turns: TurnRunner;
  readonly commands: CommandRunner;
  readonly questions: Asker;
  readonly history: History;
  readonly theme: Theme;
  readonly text: Text;
  readonly now: () => number;
  readonly leave: () => void;
}

/** What the keys of the chat do. The result is false where the key is left to the editor or the question. */
export function keyActions(options: KeyActionsOptions): (action: KeyAction) => boolean {
  const { conversation, screen, editor, turns, commands, questions, history, theme, now, leave } = options;
  const { ui } = options.text;
  let lastInterrupt = -Infinity;

  const stopWork = (): boolean => {
    if (!turns.running && !commands.running) return false;
    questions.dismiss();
    commands.interrupt();
    turns.interrupt();
    return true;
  };
  const interrupt = () => {
    if (stopWork()) return;
    const empty = !editor.getText();
    if (empty && now() - lastInterrupt < LEAVE_WITHIN_MS) return leave();
    editor.reset();
    lastInterrupt = now();
    screen.hint = ui.leaveAgain;
    setTimeout(() => {
      if (screen.hint === ui.leaveAgain) screen.hint = '';
      screen.render();
    }, LEAVE_WITHIN_MS).unref();
    screen.render();
  };
  const end = (): boolean => {
    if (editor.getText()) return false;
    leave();
    return true;
  };
  const search = () => {
    const onDone = (value: string | undefined) => {
      screen.ask(undefined);
      if (value !== undefined) editor.reset(value);
    };
    const shape = {
      choices: history.entries,
      typing: 'filter',
      placeholder: '',
      keys: ui.searchKeys,
    } as const;
    screen.ask(picker({ ...shape, title: ui.searchHistory, theme, onDone }));
  };
  const toggleThinking = () => {
    const { last } = turns;
    if (!last?.view.items.some(({ kind }) => kind === 'thinking')) screen.hint = ui.nothingThought;
    else last.showThinking = !last.showThinking;
    screen.tui.redraw();
  };
  const toggleDetails = async () => {
    const { last } = turns;
    if (!last?.view.items.some(({ kind }) => kind === 'tool')) screen.hint = ui.noCalls;
    else last.results = last.results ? undefined : callResults(await conversation.messages());
    screen.tui.redraw();
  };
  const clear = () => {
    screen.wipe();
    screen.transcript.clear();
    if (turns.running && turns.last) screen.transcript.addChild(turns.last);
  };

  const always = (action: () => unknown) => (): boolean => {
    action();
    return true;
  };
  const actions: Record<KeyAction, () => boolean> = {
    interrupt: always(interrupt),
    escape: () => !editor.isShowingAutocomplete() && stopWork(),
    end,
    clear: always(clear),
    thinking: always(toggleThinking),
    details: always(toggleDetails),
    search: always(search),
    suspend: always(() => suspend(screen.tui)),
  };
  // A question has the keys to itself, but for what stops the turn that asks it.
  return (action) => {
    if (!screen.asking || action === 'suspend') return actions[action]();
    return action === 'interrupt' && stopWork();
  };
}
