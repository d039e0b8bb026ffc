import { z } from 'zod';

const Weighted = z.object({ weight: z.number(), at: z.number() });

/** What was counted of a user, and what was set by hand. The file is for people too. */
export const ModelRecord = z.object({
  version: z.literal(1).default(1),
  turns: z.number().int().default(0),
  tech: z.record(z.string(), Weighted).default({}),
  depth: z.record(z.string(), Weighted).default({}),
  tasks: z.record(z.string(), Weighted).default({}),
  languages: z.record(z.string(), z.number()).default({}),
  /** Turns in few words, in many, with code in them, and that asked for code. */
  style: z
    .object({ short: z.number(), long: z.number(), code: z.number() })
    .default({ short: 0, long: 0, code: 0 }),
  preferences: z.array(z.object({ text: z.string(), at: z.number() })).default([]),
  /** Turns by hour of the day, in local time. */
  hours: z.array(z.number()).length(24).default(Array<number>(24).fill(0)),
  /** By path, such as `expertise_level.kubernetes`. */
  set: z.record(z.string(), z.json()).default({}),
});
export type ModelRecord = z.infer<typeof ModelRecord>;

export const emptyModel = (): ModelRecord => ModelRecord.parse({});

/** The model in a file; undefined when somebody broke it by hand. */
export function readModel(text: string | undefined): ModelRecord | undefined {
  if (!text?.trim()) return emptyModel();
  try {
    return ModelRecord.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
