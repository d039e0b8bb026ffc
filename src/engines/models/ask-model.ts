import type { AskModel, Model } from '#spec/ports';

/** One question to a model, outside of the conversation and with no tools. Undefined where no real model answers. */
export function modelAsker(model: () => Promise<Model | undefined>): AskModel {
  return async (question, { maxOutput, signal }) => {
    const answering = await model();
    if (!answering) return undefined;
    const stream = answering.stream(
      {
        system: [],
        messages: [{ role: 'user', content: [...question] }],
        tools: [],
        maxOutput: Math.min(maxOutput, answering.info.maxOutput),
      },
      signal,
    );
    const { message } = await stream.result();
    return message.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  };
}
