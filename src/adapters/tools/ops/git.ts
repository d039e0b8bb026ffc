import { stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { z } from 'zod';
import { showHidden } from '#kit/hidden-characters';
import { defineTool, type ToolContext, type ToolResult } from '#spec/ports';
import { gitEnvironment } from '../ops-support/git-environment.ts';
import { judgeGit } from '../ops-support/judge-git.ts';
import { type ProgramEnd, runProgram } from '../ops-support/run-program.ts';
import { answer, count, refusal } from '../text/answer.ts';

const MOST_BYTES = 2 * 1024 * 1024;
const TIMEOUT_MS = 60_000;

const input = z.strictObject({
  args: z
    .array(
      z
        .string()
        .max(10_000)
        .regex(/^[^\0]*$/),
    )
    .min(1)
    .max(60)
    .describe('arguments of git, one each'),
  path: z.string().min(1).max(1_000).optional().describe('folder of the repository'),
});
type Input = z.infer<typeof input>;

export const tool = defineTool<Input>({
  name: 'git',
  toolset: 'ops',
  description:
    'git in the workspace: status, log, diff, show, blame, grep, branch, add, commit, switch, restore, stash, revert.',
  input,
  deferred: true,
  effect: ({ args }) => {
    const plan = judgeGit(args);
    return plan.kind === 'allowed' ? plan.level : 0;
  },
  footprint: ({ args, path = '.' }) => {
    const plan = judgeGit(args);
    return plan.kind === 'allowed' && plan.level > 0 ? { writes: [path] } : { reads: [path] };
  },
  deed: ({ args, path = '.' }) => {
    const plan = judgeGit(args);
    if (plan.kind === 'refused') return { refuse: plan.reason };
    if (plan.level === 0) return {};
    const lost = plan.level === 3 ? { confirm: `git ${plan.args.join(' ')} may lose work.` } : {};
    return { writes: [path], ...lost };
  },
  missing: (place) =>
    place.program('git') ? undefined : { what: 'git is not installed.', fix: 'Install git.' },
  run: git,
});

async function git({ args, path }: Input, context: ToolContext): Promise<ToolResult> {
  const plan = judgeGit(args);
  if (plan.kind === 'refused') return refusal(plan.reason);
  const program = context.program('git');
  if (!program) return refusal('git is not installed.');
  const cwd =
    path === undefined || isAbsolute(path) ? (path ?? context.files.root) : join(context.files.root, path);
  // Asks the files first: they know which folders may be reached.
  if ((await context.files.stat(path ?? '.'))?.kind !== 'folder')
    return refusal(`There is no folder ${path ?? '.'}.`);
  if (!(await isFolderHere(cwd)))
    return refusal('The workspace is not on this machine; use the terminal there.');
  const env = await gitEnvironment(program, cwd, context, context.signal);
  const run = { program, args: plan.args, env, cwd, timeoutMs: TIMEOUT_MS, maxBytes: MOST_BYTES };
  return report(plan.args, await runProgram(run, context.signal));
}

const isFolderHere = async (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

function report(args: readonly string[], { code, stdout, stderr, stopped }: ProgramEnd): ToolResult {
  const said = showHidden(stdout).trimEnd();
  const complaint = showHidden(stderr).trim().slice(0, 2_000);
  if (stopped === 'interrupted') return refusal('git was interrupted.');
  if (stopped === 'time') return refusal(`git did not end within ${TIMEOUT_MS / 1000} s.`);
  // `grep` that finds nothing says so with 1 and without a word.
  const empty = args[0] === 'grep' && code === 1 && complaint === '';
  if (stopped !== 'output' && code !== 0 && !empty)
    return refusal(complaint || said || `git ended with ${code}.`);
  const lines = said === '' ? 0 : said.split('\n').length;
  const cut = stopped === 'output' ? ['[there is more than can be shown: narrow it]'] : [];
  const text = [said || complaint || 'Nothing to show.', ...cut].join('\n');
  return answer(text, `git ${args[0]}: ${count(lines, 'line')}`, { args, code, lines });
}
