import { z } from 'zod';
import { defineTool, type ToolContext, type ToolResult } from '#spec/ports';
import { COMMIT_FORMAT, parseCommits, rangeWords } from './commits.ts';
import { Revision } from './git-difference.ts';
import { complaintOf, runLine } from '../run-line.ts';
import { commandLine } from '../../running/command-line.ts';
import { gitEnvironment } from '../../ops/git/git-environment.ts';
import { answer, count, refusal } from '../../text/answer.ts';

const input = z.strictObject({
  from: Revision.optional().describe('after this tag or commit'),
  to: Revision.default('HEAD'),
  since: z
    .string()
    .max(50)
    .regex(/^[\w :.+-]+$/)
    .optional()
    .describe('such as "1 week ago" or 2026-01-31'),
  author: z
    .string()
    .max(100)
    .regex(/^[^\0-]/)
    .optional(),
  limit: z.int().min(1).max(1_000).default(100),
  path: z.string().min(1).optional().describe('folder of the repository'),
});
type Input = z.infer<typeof input>;

export const tool = defineTool<Input>({
  name: 'git_log',
  toolset: 'actions',
  description: 'Commits as records: who, when, what, by the kinds of conventional commits.',
  input,
  deferred: true,
  effect: () => 0,
  footprint: ({ path = '.' }) => ({ reads: [path] }),
  deed: (asked) => ({
    command: { text: lineOf(asked), ...(asked.path === undefined ? {} : { cwd: asked.path }) },
  }),
  run: log,
});

const lineOf = ({ from, to, since, author, limit }: Input): string =>
  commandLine([
    'git',
    'log',
    `--max-count=${limit}`,
    `--format=${COMMIT_FORMAT}`,
    '--no-show-signature',
    ...(since === undefined ? [] : [`--since=${since}`]),
    ...(author === undefined ? [] : [`--author=${author}`]),
    ...rangeWords(from, to),
    '--',
  ]);

async function log(asked: Input, context: ToolContext): Promise<ToolResult> {
  const env = gitEnvironment(context);
  const end = await runLine(lineOf(asked), { cwd: asked.path, timeoutS: 60, env }, context);
  if (end.code !== 0) return refusal(`git cannot show these commits.\n${complaintOf(end)}`);
  const commits = parseCommits(end.stdout);
  const authors: Record<string, number> = {};
  for (const { author } of commits) authors[author] = (authors[author] ?? 0) + 1;
  const lines = commits.map(
    ({ hash, date, author, subject }) => `${hash.slice(0, 9)} ${date} ${author}: ${subject}`,
  );
  return answer(lines.join('\n') || 'There are no commits.', count(commits.length, 'commit'), {
    commits,
    count: commits.length,
    authors,
    breaking: commits.filter(({ breaking }) => breaking),
  });
}
