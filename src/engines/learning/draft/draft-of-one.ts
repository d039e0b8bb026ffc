import type { Experience } from '#spec/data';
import { nameSkill } from './name-skill.ts';
import { writeDocument } from './write-document.ts';

/** Calls that remember, look up or run what is a procedure already: nothing of them is worth another. */
const NO_STEPS = new Set([
  'memory',
  'memory_search',
  'session_search',
  'skill_run',
  'skill_view',
  'tool_call',
  'clarify',
  'todo',
]);
const FIRST_VERSION = '1.0.0';

/**
 * One task as a skill, because a person wants it kept: nothing is generalised, the calls stand as they were made.
 * Undefined where nothing was done that could be done again.
 */
export function draftOfOne(
  { id, task, path }: Experience,
  taken: (name: string) => boolean,
): { readonly name: string; readonly path: string; readonly text: string } | undefined {
  const steps = path
    .filter(({ ok, tool }) => ok && !NO_STEPS.has(tool))
    .map(({ tool, input }) => ({ tool, input }));
  if (steps.length === 0) return undefined;
  const tools = steps.map(({ tool }) => tool);
  const name = nameSkill([task], tools, taken, () => 1);
  const draft = {
    name,
    procedure: { steps, slots: [], handlers: [] },
    examples: [task],
    deadEnds: [],
    from: [id],
  };
  return { name, path: `learned/${name}/SKILL.md`, text: writeDocument(draft, FIRST_VERSION) };
}
