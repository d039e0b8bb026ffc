import { z } from 'zod';
import { defineTool, type Tool } from '#spec/ports';
import type { SkillToolDeps } from './tool-deps.ts';

export const skillRun = (runWorkflow: NonNullable<SkillToolDeps['runWorkflow']>): Tool =>
  defineTool({
    name: 'skill_run',
    toolset: 'skills',
    description: 'Runs a workflow skill. Every step passes the same checks as a call of its own.',
    input: z.strictObject({
      name: z.string(),
      args: z.record(z.string(), z.unknown()).optional(),
      dry_run: z.boolean().optional(),
    }),
    // What its steps do is asked about step by step.
    effect: ({ dry_run }) => (dry_run ? 0 : 1),
    run: ({ name, args = {}, dry_run = false }, context) =>
      runWorkflow({ name, args, dryRun: dry_run }, context),
  });
