import { createInterface } from 'node:readline';
import type { Conversation, TurnResult } from '#app/conversation';
import { toErrorRecord } from '#kit/app-error';
import type { AgentEvent, ErrorRecord, UserPart } from '#spec/data';
import type { AskUser } from '#spec/ports';
import type { CliContext } from '../command.ts';
import { EXIT, exitCodeOf } from '../exit-code.ts';
import { attemptLine, errorLines } from './error-lines.ts';
import { isCommand } from './is-command.ts';
import { lineQueue, type LineQueue } from './line-queue.ts';
import { safeLine, safeText } from './safe-text.ts';
import { toolLine } from './tool-line.ts';
import { type Item, reduceTurn, startTurn } from './turn-view.ts';

/**
 * Lines in, answers out: text alone on standard output, everything else on standard error, and no control sequence on
 * either. Ctrl-C stops the turn, or the chat when none runs. The status is that of the last turn.
 */
export async function runPlainChat(conversation: Conversation, context: CliContext): Promise<number> {
  const { stdin, stderr, text } = context;
  const person = stdin.isTTY ?? false;
  const reader = createInterface({ input: stdin, terminal: false });
  const lines = lineQueue(reader);
  let running: AbortController | undefined;
  let exitCode: number = EXIT.ok;

  const interrupt = () => {
    if (running) return running.abort();
    exitCode = EXIT.aborted;
    lines.close();
  };
  const leave = () => {
    running?.abort();
    lines.close();
  };
  const within = async <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    running = new AbortController();
    try {
      return await work(running.signal);
    } finally {
      running = undefined;
    }
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', leave);
  const ask: AskUser = (question, choices) => askLine(question, choices, lines, context);
  if (person) conversation.onAsk(ask);
  try {
    for (;;) {
      if (person) stderr.write(text.chat.prompt);
      const line = (await lines.next())?.trim();
      if (line === undefined) return exitCode;
      if (!line) continue;
      const done = isCommand(line)
        ? await within((signal) => runCommand(line, signal, conversation, context, person ? ask : undefined))
        : { exitCode: await within((signal) => say([textPart(line)], signal, conversation, context)) };
      if (done.exitCode !== undefined) exitCode = done.exitCode;
      if (done.leave) return exitCode;
    }
  } finally {
    process.removeListener('SIGINT', interrupt);
    process.removeListener('SIGTERM', leave);
    reader.close();
  }
}

const textPart = (words: string): UserPart => ({ type: 'text', text: words });

async function runCommand(
  line: string,
  signal: AbortSignal,
  conversation: Conversation,
  context: CliContext,
  ask: AskUser | undefined,
): Promise<{ exitCode?: number; leave?: boolean }> {
  try {
    const result = await conversation.command(line, signal);
    if (result.text) context.stdout.write(`${safeText(result.text).trimEnd()}\n`);
    if (result.next && ask) {
      const { no, yes } = context.text.ui;
      const isAgreed = (await ask(result.next.question, [no, yes], signal)) === yes;
      return isAgreed ? await runCommand(result.next.line, signal, conversation, context, ask) : {};
    }
    if (result.leave) return { leave: true };
    return result.resend ? { exitCode: await say(result.resend, signal, conversation, context) } : {};
  } catch (thrown) {
    return { exitCode: complain(toErrorRecord(thrown), context) };
  }
}

/** One turn, and those that follow from what it left over. Resolves to an exit status. */
async function say(
  content: readonly UserPart[],
  signal: AbortSignal,
  conversation: Conversation,
  context: CliContext,
): Promise<number> {
  const show = plainView(context);
  let result: TurnResult;
  try {
    const stream = conversation.send(content, signal);
    for await (const event of stream) show.event(event);
    result = await stream.result();
  } catch (thrown) {
    show.end();
    return complain(toErrorRecord(thrown), context);
  }
  show.end();
  if (result.status === 'aborted') return EXIT.aborted;
  if (result.leftover.length) return say(result.leftover.map(textPart), signal, conversation, context);
  return result.status === 'failed' ? exitCodeOf(show.failure?.code ?? 'internal') : EXIT.ok;
}

function complain(error: ErrorRecord, context: CliContext): number {
  context.stderr.write(`${errorLines(error, context.text).join('\n')}\n`);
  return exitCodeOf(error.code);
}

/** Writes the answer as it comes, and beside it a line for everything that is over. */
function plainView({ stdout, stderr, text }: CliContext) {
  let view = startTurn([], Date.now());
  let mid = false;
  let noted = false;
  let answered = false;
  const endLine = () => {
    if (mid) stdout.write('\n');
    mid = false;
  };
  const answer = (words: string) => {
    // Two answers of one turn, with calls between them, stand apart.
    if (noted && answered) stdout.write('\n');
    [noted, answered, mid] = [false, true, !words.endsWith('\n')];
    stdout.write(safeText(words));
  };
  const note = (words: string) => {
    if (!words) return;
    endLine();
    noted = true;
    stderr.write(`${words}\n`);
  };
  return {
    failure: undefined as ErrorRecord | undefined,
    event(event: AgentEvent) {
      const before = view.items;
      view = reduceTurn(view, event, Date.now());
      if (event.type === 'text.delta' && event.data.text) return answer(event.data.text);
      if (event.type === 'turn.ended' && event.data.error) this.failure = event.data.error;
      for (const item of view.items) if (!before.includes(item)) note(plainLine(item, text));
    },
    end: endLine,
  };
}

/** What a person at a pipe wants to know about an item; nothing about what still goes on. */
function plainLine(item: Item, text: CliContext['text']): string {
  switch (item.kind) {
    case 'tool': {
      if (item.state === 'running') return '';
      const { mark, name, rest, note } = toolLine(item, 0);
      return [mark, name, rest, note].filter(Boolean).join(' ');
    }
    case 'attempt':
      return attemptLine(item.error, item.next, text);
    case 'error':
      return errorLines(item.error, text).join('\n');
    case 'notice':
      return safeLine(item.text);
    case 'stopped':
      return text.stopped;
    case 'cut_short':
      return text.cutShort;
    default:
      return '';
  }
}

async function askLine(
  question: string,
  choices: readonly string[],
  lines: LineQueue,
  { stderr }: CliContext,
): Promise<string | undefined> {
  const list = choices.map((choice, i) => `  ${i + 1}. ${safeLine(choice)}\n`).join('');
  stderr.write(`\n? ${safeText(question)}\n${list}  > `);
  const answer = (await lines.next())?.trim();
  return choices[Number(answer) - 1] ?? (answer || undefined);
}
