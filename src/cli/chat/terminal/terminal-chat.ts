import type { Conversation } from '#app/conversation';
import type { CliContext } from '../../command.ts';
import { EXIT } from '../../exit-code.ts';
import { type History, openHistory } from '../history-file.ts';
import { pathLister } from '../list-paths.ts';
import type { ChatOptions } from '../options.ts';
import { type PasteFold, pasteFold } from '../paste-fold.ts';
import { safeLine } from '../safe-text.ts';
import type { Status } from '../status-line.ts';
import type { Activity } from '../turn-view.ts';
import { asker } from './asker.ts';
import { openChatScreen } from './chat-screen.ts';
import { type CommandRunner, commandRunner } from './command-runner.ts';
import { completer } from './completer.ts';
import { keyAction } from './key-action.ts';
import { keyActions } from './key-actions.ts';
import { noteBlock, showPast, showWelcome } from './opening.ts';
import { PromptEditor } from './prompt-editor.ts';
import { submitter } from './submitter.ts';
import { makeTheme, type Theme } from './theme.ts';
import { type TurnRunner, turnRunner } from './turn-runner.ts';

const IDLE: Activity = { kind: 'idle' };

/** The chat on a real terminal. Resolves to the exit status once the terminal has been given back. */
export async function openTerminalChat(
  conversation: Conversation,
  context: CliContext,
  options: ChatOptions,
): Promise<number> {
  const theme = makeTheme(!context.env.NO_COLOR);
  const problems: unknown[] = [];
  const history = await openHistory(options.historyFile, (error) => problems.push(error), options.clean);
  const chat = buildChat(conversation, context, options, theme, history);
  const { screen, left } = chat;
  const past = await showPast(conversation, screen, chat.blocks);
  if (!past) showWelcome(conversation, context, screen, theme);
  for (const problem of problems) {
    const why = problem instanceof Error ? problem.message : String(problem);
    screen.transcript.addChild(noteBlock(context.text.ui.noHistory(safeLine(why)), theme));
  }

  const leave = () => left.resolve();
  const giveBack = () => screen.tui.stop();
  context.signal.addEventListener('abort', leave, { once: true });
  context.stdin.once('end', leave);
  process.once('exit', giveBack);
  screen.tui.start();
  try {
    await left.promise;
    await chat.stop();
  } finally {
    context.signal.removeEventListener('abort', leave);
    context.stdin.removeListener('end', leave);
    process.removeListener('exit', giveBack);
    screen.close();
  }
  await history.settled();
  if ((await conversation.messages()).length) {
    context.stdout.write(`${theme.dim(context.text.ui.comeBack(conversation.session.id))}\n`);
  }
  return context.signal.aborted ? EXIT.aborted : EXIT.ok;
}

/** Puts the parts together; nothing is drawn yet. */
function buildChat(
  conversation: Conversation,
  context: CliContext,
  options: ChatOptions,
  theme: Theme,
  history: History,
) {
  const { text } = context;
  const now = Date.now;
  const left = Promise.withResolvers<void>();
  const pastes: PasteFold = pasteFold(text.ui.paste);
  let editor!: PromptEditor;
  let turns: TurnRunner | undefined;
  let commands: CommandRunner | undefined;
  const screen = openChatScreen({
    theme,
    text,
    now,
    status: () => statusOf(conversation, context, turns, commands),
    editor: (tui) => (editor = new PromptEditor(tui, theme, pastes, history.entries)),
  });
  const blocks = { theme, text, now, rows: () => screen.tui.terminal.rows };
  turns = turnRunner(conversation, screen, blocks);
  const questions = asker(screen, theme, text);
  commands = commandRunner({
    conversation,
    screen,
    blocks,
    turns,
    ask: questions.ask,
    leave: left.resolve,
  });
  const parts = { conversation, screen, editor, turns, commands, questions, history, theme, text };

  conversation.onAsk(questions.ask);
  const paths = pathLister(conversation.session.cwd ?? options.cwd);
  editor.setAutocompleteProvider(completer(conversation.commands, paths));
  editor.onSubmit = submitter({ ...parts, pastes });
  const act = keyActions({ ...parts, now, leave: left.resolve });
  screen.tui.addInputListener((data) => {
    const action = keyAction(data);
    if (action !== undefined) return act(action) ? { consume: true } : undefined;
    screen.hint = '';
    return undefined;
  });
  const stop = async () => {
    questions.dismiss();
    commands.interrupt();
    await turns.stop();
  };
  return { screen, blocks, left, stop };
}

function statusOf(
  conversation: Conversation,
  { text }: CliContext,
  turns: TurnRunner | undefined,
  commands: CommandRunner | undefined,
): Status {
  const view = turns?.running ? turns.last?.view : undefined;
  return {
    model: conversation.model ?? text.ui.operator,
    context: conversation.context,
    title: conversation.session.title ?? conversation.session.id,
    cost: conversation.total.cost,
    activity: view?.activity ?? (commands?.running ? { kind: 'waiting' } : IDLE),
    startedAt: view?.startedAt ?? Date.now(),
    ...(view?.budget ? { budget: view.budget } : {}),
  };
}
