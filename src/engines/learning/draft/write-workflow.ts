import { stringify } from 'yaml';
import { isRecord } from '#kit/is-record';
import type { Draft } from './draft.ts';
import { tellingWords } from './name-skill.ts';
import { describe } from './write-document.ts';

const MOST_KEYWORDS = 6;

/** The name of the executable twin of a learned document. */
export const workflowName = (document: string): string => document.replaceAll('-', '_');

/**
 * The draft as a YAML workflow, which runs without a model. What was the same in every example stays as it was.
 * Undefined where a value has to be found in a result or chosen, or where a whole command differs: only a reader can
 * do that.
 */
export function writeWorkflow(draft: Draft, version: string): string | undefined {
  const { procedure, from, name } = draft;
  if (procedure.slots.some((slot) => slot.from !== 'task')) return undefined;
  const usual = new Map(procedure.slots.flatMap((slot) => (slot.usual ? [[slot.name, slot.example]] : [])));
  const steps = procedure.steps.map(({ tool, input }) => ({ tool, input: withUsual(input, usual) }));
  if (steps.some(({ input }) => isWholeSlot(input))) return undefined;
  const inputs = procedure.slots
    .filter((slot) => !slot.usual)
    .map((slot) => [slot.name, { description: `such as ${slot.example}`, required: true }]);
  return stringify({
    skill: {
      name: workflowName(name),
      version,
      description: describe(draft),
      created_from: [...from],
      trigger: { keywords: keywordsOf(draft) },
      ...(inputs.length ? { arguments: Object.fromEntries(inputs) } : {}),
      execution: {
        strategy: 'sequential',
        steps: steps.map(({ tool, input }, at) => ({
          name: `${at + 1}. ${tool}`,
          ...doing(tool, input),
          output_key: `step_${at + 1}`,
          on_failure: 'stop',
        })),
      },
      improvement: { track_metrics: ['success_rate', 'calls'], min_samples_for_update: 3, auto_update: true },
    },
  });
}

/** A command is written as one: then it is judged, and quoted, as what it is. */
function doing(tool: string, input: unknown): Readonly<Record<string, unknown>> {
  const command = isRecord(input) && Object.keys(input).join() === 'command' ? input['command'] : undefined;
  return tool === 'terminal' && typeof command === 'string'
    ? { command: templated(command) }
    : { action: tool, args: templated(input) };
}

const ONE_SLOT = /^\s*<[a-z][a-z0-9_]*>\s*$/;

/** Whether a command is nothing but a slot. */
const isWholeSlot = (input: unknown): boolean =>
  isRecord(input) && typeof input['command'] === 'string' && ONE_SLOT.test(input['command']);

/** Slots that never differed, as the values that they had. */
function withUsual(input: unknown, usual: ReadonlyMap<string, string>): unknown {
  if (typeof input === 'string')
    return input.replaceAll(SLOT, (slot, name: string) => usual.get(name) ?? slot);
  if (Array.isArray(input)) return input.map((item) => withUsual(item, usual));
  if (!isRecord(input)) return input;
  return Object.fromEntries(Object.entries(input).map(([key, value]) => [key, withUsual(value, usual)]));
}

const SLOT = /<([a-z][a-z0-9_]*)>/g;

const templated = (input: unknown): unknown => JSON.parse(JSON.stringify(input).replaceAll(SLOT, '{{$1}}'));

/** Words that most of the examples have. */
function keywordsOf({ examples }: Draft): string[] {
  const counts = new Map<string, number>();
  for (const example of examples)
    for (const word of new Set(tellingWords(example.replaceAll(/<[^>]*>/g, ' '))))
      counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts]
    .filter(([word]) => word.length > 2)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, MOST_KEYWORDS)
    .map(([word]) => word);
}
