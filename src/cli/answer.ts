import pc from 'picocolors';
import type { Host } from '#host';
import { newId } from '#kit/new-id';
import type {
  AgentEvent,
  AgentEvents,
  AssistantMessage,
  Message,
  ModelEvent,
  ModelOutcome,
  ThinkingLevel,
} from '#spec/data';
import type { CliContext } from './command.ts';
import { EXIT, exitCodeOf } from './exit-code.ts';
import { showError, source } from './show-error.ts';

export interface AnswerOptions {
  readonly json: boolean;
  readonly model?: string | undefined;
  readonly thinking?: ThinkingLevel | undefined;
  /** One id for a whole conversation. */
  readonly stream: string;
  readonly signal: AbortSignal;
}

export interface Answer {
  readonly exitCode: number;
  readonly message: AssistantMessage;
  readonly done: boolean;
}

/** Asks the model and shows the answer as it comes: text for people, or one event a line. */
export async function answer(
  host: Host,
  context: CliContext,
  messages: readonly Message[],
  options: AnswerOptions,
): Promise<Answer> {
  const { thinking, model, stream, signal } = options;
  const turn = await host.ask(messages, { thinking, model, conversation: stream, signal });
  const view = options.json ? jsonView(context, stream) : textView(context);
  if (turn.leftOut && !options.json) context.stderr.write(`${pc.dim(context.text.left_out(turn.leftOut))}\n`);
  view.begin(lastText(messages));
  for await (const event of turn.events) view.show(event);
  const outcome = await turn.events.result();
  view.end(outcome);
  return { exitCode: exitCode(outcome), message: outcome.message, done: outcome.status === 'done' };
}

interface View {
  begin(text: string): void;
  show(event: ModelEvent): void;
  end(outcome: ModelOutcome): void;
}

function textView(context: CliContext): View {
  const { stdout, stderr, text } = context;
  const live = stderr.isTTY ?? false;
  let mid = false;
  let thought = false;
  const write = (words: string) => {
    if (thought) stderr.write('\n\n');
    thought = false;
    stdout.write(words);
    mid = !words.endsWith('\n');
  };
  const note = (words: string) => {
    if (mid) write('\n');
    stderr.write(`${words}\n`);
  };
  return {
    begin: () => undefined,
    show: (event) => {
      if (event.type === 'text.delta') write(event.text);
      else if (event.type === 'thinking.delta' && live) {
        stderr.write(pc.dim(event.text));
        thought = true;
      } else if (event.type === 'tool_call.end') note(pc.dim(`→ ${event.call.name} ${event.call.arguments}`));
      else if (event.type === 'attempt.failed' && event.next.kind !== 'stop') {
        const { title } = text.errors[event.error.code];
        note(pc.yellow(`${title}${source(event.error.source)}: ${nextWords(event.next, text)}`));
      }
    },
    end: (outcome) => {
      if (mid) write('\n');
      if (outcome.status === 'aborted') stderr.write(`${pc.dim(text.stopped)}\n`);
      else if (outcome.status === 'failed') showError(outcome.error, context);
      else if (outcome.stop === 'length') stderr.write(`${pc.yellow(text.cutShort)}\n`);
    },
  };
}

function nextWords(
  next: Extract<ModelEvent, { type: 'attempt.failed' }>['next'],
  { attempt }: CliContext['text'],
): string {
  switch (next.kind) {
    case 'retry':
      return attempt.retry((next.afterMs / 1000).toFixed(1));
    case 'rotate':
      return attempt.rotate(next.credential);
    case 'failover':
      return attempt.failover(`${next.provider}/${next.model}`);
    case 'stop':
      return '';
  }
}

/** Event lines, in the envelope that every reader of events knows. */
function jsonView({ stdout }: CliContext, stream: string): View {
  let seq = 0;
  const line = <K extends keyof AgentEvents>(type: K, data: AgentEvents[K]) => {
    const event = {
      id: newId('ev'),
      seq: ++seq,
      at: new Date().toISOString(),
      stream,
      type,
      data,
    } as AgentEvent;
    stdout.write(`${JSON.stringify(event)}\n`);
  };
  return {
    begin: (text) => line('turn.started', { turn: 1, text }),
    show: ({ type, ...data }) => line(type, data),
    end: ({ status }) => line('turn.ended', { turn: 1, status, calls: 1 }),
  };
}

function exitCode(outcome: ModelOutcome): number {
  if (outcome.status === 'aborted') return EXIT.aborted;
  return outcome.status === 'failed' ? exitCodeOf(outcome.error.code) : EXIT.ok;
}

function lastText(messages: readonly Message[]): string {
  const last = messages.findLast(({ role }) => role === 'user');
  return last?.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n') ?? '';
}
