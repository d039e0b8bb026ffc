import { runInNewContext } from 'node:vm';
import { z } from 'zod';
import { defineTool } from '#spec/ports';
import { answer, count, refusal } from '../../text/answer.ts';

const MOST_MS = 500;
const MOST_MATCHES = 1_000;

const input = z.strictObject({
  text: z.string().max(2_000_000),
  pattern: z.string().min(1).max(500).describe('a regular expression of JavaScript'),
  flags: z
    .string()
    .regex(/^[imsu]*$/)
    .default('m'),
  group: z
    .union([z.int().min(0), z.string()])
    .default(0)
    .describe('number or name of the group that is taken'),
});
type Input = z.infer<typeof input>;

/** Runs inside a context of its own, which is the one way to stop an expression that never ends. */
const SCRIPT = `JSON.stringify([...text.matchAll(new RegExp(pattern, flags))].slice(0, ${MOST_MATCHES}).map((m) => ({ all: [...m], groups: m.groups ?? {}, at: m.index })))`;

const Matches = z.array(
  z.object({
    all: z.array(z.string().nullable()),
    groups: z.record(z.string(), z.string().nullable()),
    at: z.number(),
  }),
);

export const tool = defineTool<Input>({
  name: 'text_extract',
  toolset: 'actions',
  description: 'Take what a regular expression matches out of a text. For files use search_files.',
  input,
  deferred: true,
  effect: () => 0,
  footprint: () => ({}),
  async run({ text, pattern, flags, group }) {
    let found: unknown;
    try {
      found = runInNewContext(SCRIPT, { text, pattern, flags: `g${flags}` }, { timeout: MOST_MS });
    } catch (error) {
      const late = (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
      const why = late ? `it takes longer than ${MOST_MS} ms` : (error as Error).message;
      return refusal(`The expression cannot be used: ${why}.`);
    }
    const matches = Matches.parse(JSON.parse(String(found)));
    const values = matches.map(
      ({ all, groups }) => (typeof group === 'number' ? all[group] : groups[group]) ?? '',
    );
    return answer(
      values.join('\n').slice(0, 8_000) || 'Nothing matches.',
      count(values.length, 'match', 'matches'),
      {
        values,
        first: values[0] ?? null,
        count: values.length,
        found: values.length > 0,
        groups: matches.map(({ groups }) => groups).slice(0, 200),
      },
    );
  },
});
