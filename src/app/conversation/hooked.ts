import { fail, toErrorRecord } from '#kit/app-error';
import { eventStream } from '#kit/event-stream';
import { withoutFence } from '#kit/memory-fence';
import type { Message, ModelEvent, ModelOutcome, ModelRequest, UserPart } from '#spec/data';
import type { Model, RunHooks, Tool } from '#spec/ports';

/** A tool whose results pass the hooks that want to see them. */
export const hookedTool = (tool: Tool, runHooks: RunHooks): Tool => ({
  ...tool,
  run: async (input, context) => {
    const result = await tool.run(input, context);
    const { session, call, signal } = context;
    const content: UserPart[] = [];
    for (const part of result.content) {
      if (part.type !== 'text') {
        content.push(part);
        continue;
      }
      const told = {
        session,
        call,
        tool: tool.name,
        input,
        text: part.text,
        isError: result.isError ?? false,
      };
      const { payload } = await runHooks('tool.after', told, signal);
      content.push({ type: 'text', text: payload.text });
    }
    return { ...result, content };
  },
});

/** A model whose calls hooks are told of before and after; one that objects ends the call as a failure. */
export const hookedModel = (model: Model, runHooks: RunHooks): Model => ({
  info: model.info,
  stream: (request, signal) =>
    eventStream<ModelEvent, ModelOutcome>(async (emit) => {
      const told = { session: request.cacheKey ?? '', model: `${model.info.provider}/${model.info.model}` };
      const { veto } = await runHooks('model.before', { ...told, text: newestText(request) }, signal);
      if (veto) return vetoed(model, `${veto.plugin}: ${veto.reason}`, emit);
      const stream = model.stream(request, signal);
      for await (const event of stream) emit(event);
      const outcome = await stream.result();
      const text = outcome.message.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
      await runHooks('model.after', { ...told, status: outcome.status, text }, signal);
      return outcome;
    }),
});

function vetoed({ info }: Model, reason: string, emit: (event: ModelEvent) => void): ModelOutcome {
  const origin = { provider: info.provider, model: info.model, protocol: info.protocol };
  const outcome: ModelOutcome = {
    status: 'failed',
    error: toErrorRecord(fail('tool.refused', `A plugin keeps this from the model. ${reason}`)),
    message: { role: 'assistant', content: [], origin },
    usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
  };
  emit({ type: 'response.start', ...origin });
  emit({ type: 'response.end', ...outcome });
  return outcome;
}

function newestText({ messages }: ModelRequest): string {
  const last = messages.at(-1);
  const said = withoutFence<Message['content'][number]>(last?.content ?? []);
  return said.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}
