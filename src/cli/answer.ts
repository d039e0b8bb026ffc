import pc from 'picocolors';
import type { Conversation } from '#app/conversation';
import type { AgentEvent, AgentEvents, UserPart } from '#spec/data';
import type { CliContext } from './command.ts';
import { EXIT, exitCodeOf } from './exit-code.ts';
import { showError, source } from './show-error.ts';

/** Sends a message and shows the turn as it happens: text for people and pipes, or one event a line. */
export async function answer(
  conversation: Conversation,
  context: CliContext,
  content: readonly UserPart[],
  options: { readonly json: boolean; readonly signal: AbortSignal },
): Promise<number> {
  const show = options.json ? jsonLine(context) : textView(context);
  const turn = conversation.send(content, options.signal);
  const exit = exitCodeReader();
  for await (const event of turn) {
    show(event);
    exit.see(event);
  }
  await turn.result();
  return exit.code();
}

/** What a turn comes to for a script: whether it failed, ended with a no, or would have needed a model. */
function exitCodeReader() {
  let code: number = EXIT.ok;
  let last: number = EXIT.ok;
  return {
    see: (event: AgentEvent): void => {
      if (event.type === 'tool.ended') last = event.data.denied ? EXIT.denied : EXIT.ok;
      if (event.type === 'response.end' && event.data.status === 'done' && event.data.unable)
        last = EXIT.needsModel;
      if (event.type === 'turn.ended') code = exitCodeFor(event.data) || last;
    },
    code: (): number => code,
  };
}

function exitCodeFor({ status, error }: AgentEvents['turn.ended']): number {
  if (status === 'aborted') return EXIT.aborted;
  return error ? exitCodeOf(error.code) : EXIT.ok;
}

const jsonLine =
  ({ stdout }: CliContext) =>
  (event: AgentEvent): void => {
    stdout.write(`${JSON.stringify(event)}\n`);
  };

/** The answer on standard output; everything else, in passing, on standard error. */
function textView(context: CliContext): (event: AgentEvent) => void {
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
  return (event) => {
    switch (event.type) {
      case 'text.delta':
        return write(event.data.text);
      case 'thinking.delta':
        if (live) stderr.write(pc.dim(event.data.text));
        thought = live;
        return;
      case 'tool.ended': {
        const { name, summary, isError } = event.data;
        return note(pc.dim(`${isError ? '✗' : '✓'} ${name} ${summary}`));
      }
      case 'notice':
        return note(pc.yellow(event.data.text));
      case 'attempt.failed':
        if (event.data.next.kind === 'stop') return;
        return note(
          pc.yellow(
            `${text.errors[event.data.error.code].title}${source(event.data.error.source)}: ${nextWords(event.data.next, text)}`,
          ),
        );
      case 'response.end':
        if (event.data.status === 'done' && event.data.stop === 'length') note(pc.yellow(text.cutShort));
        return;
      case 'turn.ended':
        if (mid) write('\n');
        if (event.data.status === 'aborted') stderr.write(`${pc.dim(text.stopped)}\n`);
        if (event.data.error) showError(event.data.error, context);
        return;
    }
  };
}

function nextWords(next: AgentEvents['attempt.failed']['next'], { attempt }: CliContext['text']): string {
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
