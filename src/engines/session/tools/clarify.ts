import { z } from 'zod';
import { defineTool } from '#spec/ports';

export const tool = defineTool({
  name: 'clarify',
  toolset: 'planning',
  description:
    'Asks the user one question when the answer decides what to do. Offer up to four choices where you can.',
  input: z.strictObject({
    question: z.string().min(1),
    choices: z.array(z.string().min(1)).max(4).optional(),
  }),
  effect: () => 0,
  // One question at a time: it never runs beside another call.
  footprint: () => undefined,
  missing: ({ ask }) =>
    ask ? undefined : { what: 'nobody can be asked here', fix: 'start a chat in a terminal: hermes' },
  run: async ({ question, choices = [] }, { ask }) => {
    const answer = await ask?.(question, choices);
    const text =
      answer === undefined
        ? 'The user did not answer. Go on with your best judgement and say what you assumed.'
        : `The user answers: ${answer}`;
    return { content: [{ type: 'text', text }], summary: answer ?? '–' };
  },
});
