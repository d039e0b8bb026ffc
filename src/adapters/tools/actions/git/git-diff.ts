import { z } from 'zod';
import { defineTool, type ToolContext, type ToolResult } from '#spec/ports';
import {
  differenceEnvironment,
  differenceLine,
  type FileStat,
  parseNumstat,
  Revision,
  splitDifference,
} from './git-difference.ts';
import { textIfAny } from '../read-text.ts';
import { complaintOf, runLine } from '../run-line.ts';
import { kindOf } from '../source-file.ts';
import { commandLine } from '../../running/command-line.ts';
import { answer, count, refusal } from '../../text/answer.ts';

const TIMEOUT_S = 60;
const MOST_UNTRACKED = 200;
/** What may be asked of the difference. Its numbers are always there. */
const OPTIONS = ['--stat', '--numstat', '--name-only', '--cached', '--staged', '-w', '--ignore-all-space'];

const input = z.strictObject({
  target: Revision.default('main').describe('compared with: branch, tag, commit or range'),
  options: z
    .union([z.string(), z.array(z.string()), z.null()])
    .optional()
    .describe(OPTIONS.join(', ')),
  paths: z
    .array(
      z
        .string()
        .min(1)
        .regex(/^[^\0]*$/),
    )
    .max(500)
    .default([])
    .describe('only these'),
  untracked: z.boolean().default(true).describe('count new files that git does not know yet'),
  path: z.string().min(1).optional().describe('folder of the repository'),
});
type Input = z.infer<typeof input>;

export const tool = defineTool<Input>({
  name: 'git_diff',
  toolset: 'actions',
  description: 'Which files changed against a branch or commit, and by how many lines.',
  input,
  deferred: true,
  effect: () => 0,
  footprint: ({ path = '.' }) => ({ reads: [path] }),
  deed: (asked) => {
    const bad = badOption(asked);
    if (bad) return { refuse: bad };
    return { command: { text: lineOf(asked), ...(asked.path === undefined ? {} : { cwd: asked.path }) } };
  },
  run: diff,
});

const optionsOf = ({ options }: Input): readonly string[] =>
  (Array.isArray(options) ? options : (options ?? '').split(/\s+/)).filter(Boolean);

const badOption = (asked: Input): string | undefined => {
  const bad = optionsOf(asked).find((option) => !OPTIONS.includes(option));
  return bad === undefined ? undefined : `git_diff takes no ${bad}. It takes: ${OPTIONS.join(', ')}.`;
};

function lineOf(asked: Input): string {
  const { target, paths, untracked } = asked;
  const options = optionsOf(asked);
  const cached = options.some((option) => /^--(?:cached|staged)$/.test(option));
  const space = options.some((option) => /^(?:-w|--ignore-all-space)$/.test(option));
  const flags = ['--numstat', '-z', '--no-renames', ...(space ? ['--ignore-all-space'] : [])];
  const compare = differenceLine(target, flags, paths, cached);
  if (!untracked || cached || target.includes('..')) return compare;
  const others = commandLine(['git', 'ls-files', '--others', '--exclude-standard', '-z', '--', ...paths]);
  return `{ ${compare}; } && ${others}`;
}

async function diff(asked: Input, context: ToolContext): Promise<ToolResult> {
  const bad = badOption(asked);
  if (bad) return refusal(bad);
  const line = lineOf(asked);
  const env = differenceEnvironment(context);
  const end = await runLine(line, { cwd: asked.path, timeoutS: TIMEOUT_S, env }, context);
  if (end.code !== 0) return refusal(`git cannot compare with ${asked.target}.\n${complaintOf(end)}`);
  const { difference, against, rest } = splitDifference(end.stdout);
  const known = parseNumstat(difference);
  const fresh = await untrackedStats(rest.split('\0').filter(Boolean), asked, context);
  return report([...known, ...fresh], fresh.length, against ?? asked.target);
}

/** New files are counted line by line; git does not know them. */
function untrackedStats(
  paths: readonly string[],
  { path }: Input,
  context: ToolContext,
): Promise<FileStat[]> {
  return Promise.all(
    paths.slice(0, MOST_UNTRACKED).map(async (name) => {
      const text = await textIfAny(context.files, path === undefined ? name : `${path}/${name}`, 1_000_000);
      const additions = text ? text.split('\n').length - (text.endsWith('\n') ? 1 : 0) : 0;
      return { path: name, additions, deletions: 0, binary: text === undefined };
    }),
  );
}

function report(stats: readonly FileStat[], untracked: number, against: string): ToolResult {
  const sum = (key: 'additions' | 'deletions') => stats.reduce((total, stat) => total + stat[key], 0);
  const [additions, deletions] = [sum('additions'), sum('deletions')];
  const byLanguage: Record<string, number> = {};
  for (const { path } of stats) byLanguage[kindOf(path)] = (byLanguage[kindOf(path)] ?? 0) + 1;
  const head = `${count(stats.length, 'file')} changed against ${against}, +${additions} −${deletions}`;
  const lines = stats.slice(0, 200).map((stat) => `${stat.path} +${stat.additions} −${stat.deletions}`);
  return answer([head, ...lines].join('\n'), head, {
    target: against,
    changed_files: stats.map(({ path }) => path),
    file_count: stats.length,
    additions,
    deletions,
    untracked,
    by_language: byLanguage,
    stats,
  });
}
