import { createTwoFilesPatch } from 'diff';
import { z } from 'zod';
import { defineTool, type ToolContext, type ToolResult } from '#spec/ports';
import { textOf } from '../call-shell.ts';
import { applyEdit, type MigrationEdit, MigrationPlan } from './migration-plan.ts';
import { textIfAny } from '../read-text.ts';
import { answer, count } from '../../text/answer.ts';

const MOST_SHOWN = 20_000;

const input = z.strictObject({
  plan: MigrationPlan.describe('of generate_migration_plan'),
  dry_run: z.boolean().default(true).describe('show the difference, write nothing'),
  steps: z.array(z.string()).optional().describe('only the steps with these ids'),
});
type Input = z.infer<typeof input>;

const editsOf = ({ plan, steps }: Input): MigrationEdit[] =>
  plan.steps.filter(({ id }) => !steps || steps.includes(id)).flatMap(({ edits }) => edits);
const filesOf = (asked: Input): string[] => [...new Set(editsOf(asked).map(({ file }) => file))];

export const tool = defineTool<Input>({
  name: 'execute_migration',
  toolset: 'actions',
  description: 'Make the edits of a migration plan, all of them or none; by default only show them.',
  input,
  deferred: true,
  effect: ({ dry_run }) => (dry_run ? 0 : 2),
  footprint: (asked) => (asked.dry_run ? { reads: filesOf(asked) } : { writes: filesOf(asked) }),
  deed: (asked) => (asked.dry_run ? {} : { writes: filesOf(asked) }),
  maxChars: 30_000,
  run: execute,
});

async function execute(asked: Input, context: ToolContext): Promise<ToolResult> {
  const { changed, skipped, patch } = await plannedChanges(editsOf(asked), context);
  const manual = asked.plan.steps
    .filter(({ kind }) => kind === 'manual')
    .map(({ title, files, reason }) => ({ title, files, reason }));
  const data = {
    dry_run: asked.dry_run,
    changed_files: changed.map(({ file }) => file),
    changes: changed.reduce((sum, { changes }) => sum + changes, 0),
    diff: patch.slice(0, 200_000),
    skipped,
    manual,
  };
  const left = manual.length > 0 ? ` ${count(manual.length, 'step')} by hand.` : '';
  const what = `${count(data.changes, 'change')} in ${count(changed.length, 'file')}`;
  if (asked.dry_run || changed.length === 0) {
    const head = `${asked.dry_run ? 'Would make' : 'Made'} ${what}.${left}`;
    return answer(`${head}\n${patch.slice(0, MOST_SHOWN)}`, head, { ...data, success: true, applied: 0 });
  }
  const written = await context.callTool('patch', { patch });
  if (written.isError)
    return {
      ...answer(`Nothing was written.\n${textOf(written)}`, 'nothing was written', {
        ...data,
        success: false,
        applied: 0,
      }),
      isError: true,
    };
  return answer(`Made ${what}.${left}\n${patch.slice(0, MOST_SHOWN)}`, `made ${what}`, {
    ...data,
    success: true,
    applied: data.changes,
  });
}

async function plannedChanges(edits: readonly MigrationEdit[], { files }: ToolContext) {
  const skipped: { file: string; from: string; reason: string }[] = [];
  const changed: { file: string; changes: number; patch: string }[] = [];
  for (const file of new Set(edits.map((edit) => edit.file))) {
    const before = await textIfAny(files, file);
    const own = edits.filter((edit) => edit.file === file);
    if (before === undefined) {
      skipped.push(...own.map(({ from }) => ({ file, from, reason: 'there is no such text file' })));
      continue;
    }
    let [after, changes] = [before, 0];
    for (const edit of own) {
      const done = applyEdit(after, edit);
      if ('problem' in done) skipped.push({ file, from: edit.from, reason: done.problem });
      else {
        after = done.text;
        changes += done.changes;
      }
    }
    if (after !== before)
      changed.push({ file, changes, patch: createTwoFilesPatch(file, file, before, after, '', '') });
  }
  const patch = changed.map((change) => change.patch.replace(/^=+\n/, '')).join('');
  return { changed, skipped, patch };
}
