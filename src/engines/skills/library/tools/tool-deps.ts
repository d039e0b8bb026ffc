import type { ToolContext, ToolResult } from '#spec/ports';
import type { SkillLibrary } from '../shelf/open-skill-library.ts';
import type { SkillChange } from '../write/prepare-change.ts';
import type { SkillWriter } from '../write/skill-writer.ts';

export interface SkillToolDeps {
  readonly library: SkillLibrary;
  /** Without it, skills can be read and not written. */
  readonly writer?: SkillWriter;
  /** Who is said to have made the edits; `user` when somebody asked for them in a conversation. */
  readonly by?: SkillChange['by'];
  /** Where writes wait for a person; without it they happen at once. Tells the id under which it waits. */
  readonly stage?: (write: {
    readonly tool: string;
    readonly input: unknown;
    readonly shown: string;
    readonly why: string;
    readonly context: ToolContext;
  }) => Promise<string>;
  /** Runs a workflow skill; without it there is no `skill_run`. */
  readonly runWorkflow?: (
    call: {
      readonly name: string;
      readonly args: Readonly<Record<string, unknown>>;
      readonly dryRun: boolean;
    },
    context: ToolContext,
  ) => Promise<ToolResult>;
  /** The folder that skills are written to on this machine, so that the gate knows what a call writes. */
  readonly home?: string;
}

export const textResult = (text: string, summary: string, data?: unknown): ToolResult => ({
  content: [{ type: 'text', text }],
  summary,
  ...(data === undefined ? {} : { data }),
});
