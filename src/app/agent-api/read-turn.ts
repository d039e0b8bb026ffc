import type { AgentEvent, AgentEvents, StopReason, Usage } from '#spec/data';
import type { Ending, Finish, HandedCall, ServedEvent } from './served.ts';

interface TurnReading {
  /** Names of the tools that the client runs. */
  readonly clientTools: ReadonlySet<string>;
  /** Whether the answer was cut where the client had said. */
  readonly isCapped: () => boolean;
}

const FINISH: Readonly<Record<StopReason, Finish>> = {
  end: 'stop',
  tool_calls: 'stop',
  length: 'length',
  content_filter: 'content_filter',
};

/** Turns what happens in a turn into what a program is told of it: text, progress, one ending. */
export async function* readTurn(
  events: AsyncIterable<AgentEvent>,
  { clientTools, isCapped }: TurnReading,
): AsyncGenerator<ServedEvent, void, undefined> {
  const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
  const started = new Map<string, AgentEvents['tool.started']>();
  const calls: HandedCall[] = [];
  const joint = textJoint();
  let stop: StopReason = 'end';
  for await (const event of events) {
    switch (event.type) {
      case 'response.start':
        yield { type: 'began', model: `${event.data.provider}/${event.data.model}` };
        break;
      case 'text.delta':
        yield { type: 'text', text: joint.before() + event.data.text };
        break;
      case 'thinking.delta':
        yield { type: 'thinking', text: event.data.text };
        break;
      case 'response.end':
        if (event.data.status !== 'done') break;
        ({ stop } = event.data);
        joint.after(stop);
        break;
      case 'notice':
        yield { type: 'progress', progress: { type: 'notice', text: event.data.text } };
        break;
      case 'tool.started': {
        const { call, name } = event.data;
        started.set(call, event.data);
        if (!clientTools.has(name))
          yield { type: 'progress', progress: { type: 'tool.started', call, name } };
        break;
      }
      case 'tool.ended': {
        const { call, name, isError } = event.data;
        if (!clientTools.has(name))
          yield { type: 'progress', progress: { type: 'tool.ended', ...event.data } };
        else if (!isError) calls.push({ id: call, name, arguments: started.get(call)?.arguments || '{}' });
        break;
      }
      case 'usage.recorded':
        for (const kind of Object.keys(usage) as (keyof Usage)[]) usage[kind] += event.data.usage[kind];
        break;
      case 'turn.ended':
        yield { type: 'ended', ending: endingOf(event.data, usage, calls, isCapped() ? 'length' : stop) };
        return;
    }
  }
}

function endingOf(
  { status, error }: AgentEvents['turn.ended'],
  usage: Usage,
  calls: readonly HandedCall[],
  stop: StopReason,
): Ending {
  if (status === 'aborted') return { status, usage };
  if (error) return { status: 'failed', error, usage };
  return { status: 'done', finish: calls.length ? 'tool_calls' : FINISH[stop], calls, usage };
}

/** Between the texts of two answers stands an empty line, unless the second goes on in the middle of the first. */
function textJoint(): { before(): string; after(stop: StopReason): void } {
  let spoke = false;
  let parted = false;
  return {
    before: () => {
      const joint = parted ? '\n\n' : '';
      spoke = true;
      parted = false;
      return joint;
    },
    after: (stop) => {
      parted = spoke && stop !== 'length';
    },
  };
}
