import { z } from 'zod';
import type { Todo } from '#spec/data';
import { defineTool } from '#spec/ports';

const MARKS: Readonly<Record<Todo['state'], string>> = {
  pending: '[ ]',
  active: '[>]',
  done: '[x]',
  dropped: '[-]',
};

export const tool = defineTool({
  name: 'todo',
  toolset: 'planning',
  description:
    'Keeps the plan of this session. Give the whole list to replace it; call without items to read it. Use it for work of three steps or more.',
  input: z.strictObject({
    items: z
      .array(
        z.strictObject({ text: z.string().min(1), state: z.enum(['pending', 'active', 'done', 'dropped']) }),
      )
      .max(50)
      .optional(),
  }),
  effect: () => 0,
  footprint: ({ items }) => (items ? { writes: ['todo:'] } : { reads: ['todo:'] }),
  run: async ({ items }, { todos }) => {
    if (items) todos.write(items);
    const list = todos.read();
    const done = list.filter(({ state }) => state === 'done').length;
    const text =
      list.map(({ text: item, state }) => `${MARKS[state]} ${item}`).join('\n') || 'The plan is empty.';
    return { content: [{ type: 'text', text }], summary: `${done} of ${list.length} done`, data: list };
  },
});
