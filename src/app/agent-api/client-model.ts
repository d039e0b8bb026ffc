import { eventStream } from '#kit/event-stream';
import { newId } from '#kit/new-id';
import type { ModelEvent, ModelOutcome } from '#spec/data';
import type { Model } from '#spec/ports';

/**
 * A model whose answers go to a program. Its calls get ids that are used once: some servers count from zero in every
 * answer, and a program sends ids back. `capped`: the program said how long an answer may be, so one that was cut there
 * is over, and nobody asks for the rest of it.
 */
export function clientModel(
  model: Model,
  options: {
    readonly capped: boolean;
    readonly onCall: (id: string) => void;
    readonly onCapped: () => void;
  },
): Model {
  const issued = (outcome: ModelOutcome): ModelOutcome => {
    const content = outcome.message.content.map((part) => {
      if (part.type !== 'tool_call') return part;
      const id = newId('call');
      options.onCall(id);
      return { ...part, id };
    });
    const answer = { ...outcome, message: { ...outcome.message, content } };
    const cut = options.capped && answer.status === 'done' && answer.stop === 'length';
    if (!cut) return answer;
    options.onCapped();
    return { ...answer, stop: 'end' };
  };
  return {
    info: model.info,
    stream: (request, signal) =>
      eventStream<ModelEvent, ModelOutcome>(async (emit) => {
        const stream = model.stream(request, signal);
        for await (const event of stream) if (event.type !== 'response.end') emit(event);
        const outcome = issued(await stream.result());
        emit({ type: 'response.end', ...outcome });
        return outcome;
      }),
  };
}
