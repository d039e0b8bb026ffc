import { tell, type Text } from '#kit/text';
import { z } from 'zod';
import type { Language } from '#kit/language';
import { defineTool, type ToolContext, type ToolResult } from '#spec/ports';
import { COMMIT_FORMAT, type Commit, parseCommits, rangeWords } from './commits.ts';
import { Revision } from './git-difference.ts';
import { complaintOf, runLine } from '../run-line.ts';
import { languageFor, LanguageChoice } from '../said.ts';
import { bumpVersion, parseVersion } from '../migration/versions.ts';
import { commandLine } from '../../running/command-line.ts';
import { gitEnvironment } from '../../ops/git/git-environment.ts';
import { answer, count, refusal } from '../../text/answer.ts';

const input = z.strictObject({
  from: Revision.optional().describe('the last release; without it, the whole history'),
  to: Revision.default('HEAD'),
  version: z.string().max(50).optional().describe('of the new release'),
  date: z.string().max(30).optional(),
  language: LanguageChoice,
  path: z.string().min(1).optional().describe('folder of the repository'),
});
type Input = z.infer<typeof input>;

export const tool = defineTool<Input>({
  name: 'changelog_draft',
  toolset: 'actions',
  description:
    'Draft the changelog of a release from the commits since the last one, and suggest its version.',
  input,
  deferred: true,
  effect: () => 0,
  footprint: ({ path = '.' }) => ({ reads: [path] }),
  deed: (asked) => ({
    command: { text: lineOf(asked), ...(asked.path === undefined ? {} : { cwd: asked.path }) },
  }),
  run: draft,
});

const lineOf = ({ from, to }: Input): string =>
  commandLine([
    'git',
    'log',
    '--no-merges',
    '--max-count=1000',
    `--format=${COMMIT_FORMAT}`,
    '--no-show-signature',
    ...rangeWords(from, to),
    '--',
  ]);

interface Section {
  readonly title: Text;
  takes(commit: Commit): boolean;
}

const SECTIONS: readonly Section[] = [
  { title: tell('Breaking changes', '不兼容变更'), takes: ({ breaking }) => breaking },
  { title: tell('Features', '新功能'), takes: ({ type }) => type === 'feat' },
  { title: tell('Fixes', '修复'), takes: ({ type }) => type === 'fix' },
  { title: tell('Performance', '性能'), takes: ({ type }) => type === 'perf' },
  { title: tell('Documents', '文档'), takes: ({ type }) => type === 'docs' },
  {
    title: tell('Other', '其他'),
    takes: ({ type }) => !/^(?:chore|ci|test|style|build|refactor)$/.test(type),
  },
];

async function draft(asked: Input, context: ToolContext): Promise<ToolResult> {
  const end = await runLine(
    lineOf(asked),
    { cwd: asked.path, timeoutS: 60, env: gitEnvironment(context) },
    context,
  );
  if (end.code !== 0) return refusal(`git cannot show these commits.\n${complaintOf(end)}`);
  const commits = parseCommits(end.stdout);
  const language = languageFor(
    asked.language,
    commits.map(({ subject }) => subject),
  );
  const bump = commits.some(({ breaking }) => breaking)
    ? 'major'
    : commits.some(({ type }) => type === 'feat')
      ? 'minor'
      : 'patch';
  const known = asked.from === undefined ? undefined : parseVersion(asked.from);
  const suggested = known && bumpVersion(known, bump);
  const sections = sectionsOf(commits, language);
  const name = asked.version ?? suggested ?? tell('Unreleased', '未发布')[language];
  const text = [
    `## ${name}${asked.date ? ` (${asked.date})` : ''}`,
    ...sections.map(({ title, items }) => `### ${title}\n\n${items.map((item) => `- ${item}`).join('\n')}`),
  ].join('\n\n');
  return answer(text, `${count(commits.length, 'commit')}, ${bump}`, {
    text,
    sections,
    bump,
    count: commits.length,
    ...(suggested === undefined ? {} : { suggested_version: suggested }),
  });
}

/** Each commit stands in the first section that takes it. */
function sectionsOf(commits: readonly Commit[], language: Language) {
  const left = new Set(commits);
  return SECTIONS.map(({ title, takes }) => {
    const taken = [...left].filter(takes);
    for (const commit of taken) left.delete(commit);
    const items = taken.map(({ scope, description, refs }) => {
      const missing = refs.filter((ref) => !description.includes(`#${ref}`)).map((ref) => ` (#${ref})`);
      return `${scope ? `**${scope}:** ` : ''}${description}${missing.join('')}`;
    });
    return { title: title[language], items };
  }).filter(({ items }) => items.length > 0);
}
