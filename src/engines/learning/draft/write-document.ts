import { stringify } from 'yaml';
import { SECTIONS } from '../procedure/edit-document.ts';
import { quotable, slotLine, stepLine, withoutNames } from '../procedure/write-lines.ts';
import type { Draft } from './draft.ts';

const LONGEST_DESCRIPTION = 400;

/** What a skill is for, in the words that people ask for it with: selection goes by them. */
export function describe({ examples, procedure }: Draft): string {
  const asked = examples.slice(0, 3).map(plain).join('; ');
  const tools = [...new Set(procedure.steps.map(({ tool }) => tool))].slice(0, 6).join(', ');
  return `Use when asked to: ${asked}. Learned way with ${tools}.`.slice(0, LONGEST_DESCRIPTION);
}

const plain = (example: string): string =>
  quotable(example.replaceAll(/<([a-z][a-z0-9_]*)>/g, 'some $1'), 110).replace(/[.?!。？！]+$/u, '');

/** The draft as a `SKILL.md`. Calls, inputs and pitfalls are lines that are read back by machine as well. */
export function writeDocument(draft: Draft, version: string): string {
  const { name, procedure, examples, deadEnds, from } = draft;
  const front = stringify({
    name,
    description: describe(draft),
    version,
    metadata: { hermes: { category: 'learned', tags: ['learned'], created_from: [...from] } },
  });
  const section = (title: string, lines: readonly string[]) =>
    lines.length ? [`## ${title}`, '', ...lines, ''] : [];
  // What a tool said is a stranger's word: that it ended well is all that a skill may say of it.
  const last = procedure.steps.at(-1)?.tool;
  return [
    '---',
    front.trimEnd(),
    '---',
    '',
    `# ${titleOf(name)}`,
    '',
    ...section(
      SECTIONS.when,
      examples.map((example) => `- ${example}`),
    ),
    ...section(SECTIONS.inputs, procedure.slots.map(slotLine)),
    ...section(
      SECTIONS.procedure,
      procedure.steps.map((step, at) => stepLine(step, at + 1)),
    ),
    ...section(
      SECTIONS.pitfalls,
      deadEnds.map(
        ({ tool, error }) => `- \`${tool}\` does not help here: "${quotable(withoutNames(error), 80)}"`,
      ),
    ),
    ...section(SECTIONS.verification, last ? [`- The last call, \`${last}\`, ends without an error.`] : []),
  ].join('\n');
}

const titleOf = (name: string): string => {
  const words = name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};
