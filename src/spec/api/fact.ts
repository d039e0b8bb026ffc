import { z } from 'zod';

const Envelope = z.object({
  id: z.string(),
  seq: z.number().int(),
  at: z.string(),
  stream: z.string(),
  type: z.string(),
  data: z.record(z.string(), z.unknown()),
});

/** An event as it is stored: its envelope and its name are checked, what it tells has the type of the event map. */
export const factOf = <T extends { readonly type: string }>(types: readonly string[]) =>
  z
    .custom<T>((value) => {
      const read = Envelope.safeParse(value);
      return read.success && types.includes(read.data.type);
    })
    .meta({
      type: 'object',
      required: ['id', 'seq', 'at', 'stream', 'type', 'data'],
      properties: {
        id: { type: 'string' },
        seq: { type: 'integer' },
        at: { type: 'string', format: 'date-time' },
        stream: { type: 'string' },
        type: { type: 'string', enum: [...types] },
        data: { type: 'object' },
      },
    });
