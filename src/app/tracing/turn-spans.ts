import type { TurnResult } from '#engines/session';
import { type EventStream, eventStream } from '#kit/event-stream';
import type { AgentEvent, AgentEvents } from '#spec/data';
import type { OpenSpan, SpanAttributes, SpanContext, Tracer } from '#spec/ports';

interface TurnAbout {
  readonly session: string;
  /** The way in: `cli`, `api`. */
  readonly platform: string;
  readonly parent?: SpanContext | undefined;
}

/** The same turn, with a span for it, for each model call, each tool and each compaction in it. */
export function tracedTurn(
  turn: EventStream<AgentEvent, TurnResult>,
  tracer: Tracer,
  about: TurnAbout,
): EventStream<AgentEvent, TurnResult> {
  const watch = turnSpans(tracer, about);
  return eventStream(async (emit) => {
    for await (const event of turn) {
      watch.see(event);
      emit(event);
    }
    watch.end();
    return turn.result();
  });
}

/** Names and numbers as the semantic conventions for generative AI have them; nothing that was said. */
export function turnSpans(
  tracer: Tracer,
  { session, platform, parent }: TurnAbout,
): { see(event: AgentEvent): void; end(): void } {
  const root = tracer.begin({ name: 'invoke_agent hermes', kind: 'internal', parent });
  const within = root.context;
  const tools = new Map<string, OpenSpan>();
  const attributes: SpanAttributes = {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': 'hermes',
    'gen_ai.conversation.id': session,
    'hermes.platform': platform,
  };
  let model: OpenSpan | undefined;
  let failures = 0;
  let compaction: OpenSpan | undefined;
  const openOnes = () => [model, compaction, ...tools.values()];

  return {
    see(event) {
      const at = Date.parse(event.at);
      switch (event.type) {
        // Said right before the model is called.
        case 'budget.update':
          model = tracer.begin({ name: 'chat', kind: 'client', parent: within, at });
          failures = 0;
          break;
        case 'attempt.failed':
          failures++;
          break;
        case 'response.end':
          model?.end({ at, ...modelCall(event.data, failures) });
          model = undefined;
          break;
        case 'tool.started':
          tools.set(
            event.data.call,
            tracer.begin({ name: 'execute_tool', kind: 'internal', parent: within, at }),
          );
          break;
        case 'tool.ended':
          tools.get(event.data.call)?.end({ at, ...toolCall(event.data) });
          tools.delete(event.data.call);
          break;
        case 'compaction.start':
          compaction = tracer.begin({ name: 'compact', kind: 'internal', parent: within, at });
          break;
        case 'context.compacted': {
          const { how, before, after } = event.data;
          const sizes = { 'hermes.compaction.before': before, 'hermes.compaction.after': after };
          compaction?.end({ at, attributes: { 'hermes.compaction.how': how, ...sizes } });
          compaction = undefined;
          break;
        }
        case 'turn.ended': {
          const { turn, status, calls, error } = event.data;
          for (const span of openOnes()) span?.end({ at, error: status });
          root.end({
            at,
            attributes: {
              ...attributes,
              'hermes.turn': turn,
              'hermes.status': status,
              'hermes.calls': calls,
            },
            error: error?.code,
          });
        }
      }
    },
    end: () => {
      for (const span of openOnes()) span?.end({ error: 'ended' });
      root.end({ attributes });
    },
  };
}

function modelCall(outcome: AgentEvents['response.end'], failures: number) {
  const { message, usage, cost } = outcome;
  const { provider, model } = message.origin;
  const attributes: SpanAttributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': provider,
    'gen_ai.request.model': model,
    // What was read from a cache is part of what was read.
    'gen_ai.usage.input_tokens': usage.input + usage.cacheRead + usage.cacheWrite,
    'gen_ai.usage.cache_read.input_tokens': usage.cacheRead,
    'gen_ai.usage.cache_creation.input_tokens': usage.cacheWrite,
    'gen_ai.usage.output_tokens': usage.output,
    ...(outcome.status === 'done' ? { 'gen_ai.response.finish_reasons': [outcome.stop] } : {}),
    'hermes.attempts_failed': failures,
    'hermes.cost_usd': cost,
  };
  const error = outcome.status === 'failed' ? outcome.error.code : undefined;
  return { name: `chat ${model}`, attributes, error: outcome.status === 'aborted' ? 'aborted' : error };
}

function toolCall({ call, name, isError }: AgentEvents['tool.ended']) {
  const attributes: SpanAttributes = {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': name,
    'gen_ai.tool.call.id': call,
    'gen_ai.tool.type': 'function',
  };
  return { name: `execute_tool ${name}`, attributes, error: isError ? 'tool_error' : undefined };
}
