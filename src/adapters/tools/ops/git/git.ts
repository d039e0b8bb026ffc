import { z } from 'zod';
import { showHidden } from '#kit/hidden-characters';
import { tell } from '#kit/text';
import {
  type CommandResult,
  defineTool,
  type EffectLevel,
  type ToolContext,
  type ToolResult,
} from '#spec/ports';
import { commandLine } from '../../running/command-line.ts';
import { gitEnvironment } from './git-environment.ts';
import { judgeGit } from './judge-git.ts';
import { stoppedText } from '../../running/failure-hint.ts';
import { answer, count, refusal } from '../../text/answer.ts';

const TIMEOUT_S = 60;
/** A system takes no single argument of more than 128 KiB, and a command is one for its shell. */
const MOST_LINE_BYTES = 100_000;
const NOT_FOUND = 127;

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
    const plan = planOf(args);
    return plan.kind === 'allowed' ? plan.level : 0;
  },
  footprint: ({ args, path = '.' }) => {
    const plan = planOf(args);
    return plan.kind === 'allowed' && plan.level > 0 ? { writes: [path] } : { reads: [path] };
  },
  deed: ({ args, path }) => {
    const plan = planOf(args);
    if (plan.kind === 'refused') return { refuse: plan.reason };
    const command = { text: plan.line, ...(path === undefined ? {} : { cwd: path }) };
    const lost =
      plan.level === 3
        ? { confirm: tell(`${plan.line} may lose work.`, `${plan.line} 可能丢失工作成果。`) }
        : {};
    return { command, ...lost };
  },
  run: git,
});

type Plan =
  | { readonly kind: 'allowed'; readonly level: EffectLevel; readonly line: string }
  | { readonly kind: 'refused'; readonly reason: string };

function planOf(args: readonly string[]): Plan {
  const plan = judgeGit(args);
  if (plan.kind === 'refused') return plan;
  const line = commandLine(['git', ...plan.args]);
  if (Buffer.byteLength(line) > MOST_LINE_BYTES)
    return { kind: 'refused', reason: 'The arguments are too long for one command.' };
  return { kind: 'allowed', level: plan.level, line };
}

/** Git is a program of the workspace like any other: it runs where the commands of the terminal run. */
async function git({ args, path }: Input, context: ToolContext): Promise<ToolResult> {
  const plan = planOf(args);
  if (plan.kind === 'refused') return refusal(plan.reason);
  const said = { stdout: '', stderr: '' };
  const result = await context.commands.run(
    {
      command: plan.line,
      env: gitEnvironment(context),
      timeoutMs: TIMEOUT_S * 1_000,
      ...(path === undefined ? {} : { cwd: path }),
    },
    context.signal,
    ({ stream, text }) => (said[stream] += text),
  );
  return report(plan.line, result, said);
}

function report(
  line: string,
  result: CommandResult,
  { stdout, stderr }: Readonly<Record<'stdout' | 'stderr', string>>,
): ToolResult {
  const { code, stopped } = result;
  const said = showHidden(stdout).trimEnd();
  const complaint = showHidden(stderr).trim().slice(0, 2_000);
  const [, subcommand = ''] = line.split(' ');
  if (stopped !== undefined && stopped !== 'output')
    return refusal(`git: ${stoppedText(result, TIMEOUT_S)}.`);
  if (code === NOT_FOUND)
    return refusal(`There is no git where commands run; install it there.\n${complaint}`.trimEnd());
  // `grep` that finds nothing says so with 1 and without a word.
  const empty = subcommand === 'grep' && code === 1 && complaint === '';
  if (stopped === undefined && code !== 0 && !empty)
    return refusal([complaint || said || `git ended with ${code}.`, ...hints(complaint)].join('\n'));
  const lines = said === '' ? 0 : said.split('\n').length;
  const cut = stopped === 'output' ? ['[there is more than can be shown: narrow it]'] : [];
  const text = [said || complaint || 'Nothing to show.', ...cut].join('\n');
  return answer(text, `git ${subcommand}: ${count(lines, 'line')}`, { command: line, code, lines });
}

const hints = (complaint: string): string[] =>
  /identity unknown|tell me who you are/i.test(complaint)
    ? [
        '[the settings of a home may not be there where commands run: the person sets user.name and user.email in the repository, or GIT_AUTHOR_NAME, GIT_AUTHOR_EMAIL, GIT_COMMITTER_NAME and GIT_COMMITTER_EMAIL for Hermes]',
      ]
    : [];
