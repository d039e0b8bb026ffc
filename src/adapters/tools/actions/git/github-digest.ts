import { tell, type Text } from '#kit/text';
import { z } from 'zod';
import type { Language } from '#kit/language';
import { defineTool, type ToolContext, type ToolResult } from '#spec/ports';
import { textOf } from '../call-shell.ts';
import { listIn, numberIn, stringIn } from '../loose.ts';
import { LanguageChoice } from '../said.ts';
import { answer } from '../../text/answer.ts';

const KINDS = ['new_issues', 'pr_reviews', 'failed_runs', 'security_alerts'] as const;
type Kind = (typeof KINDS)[number];

const input = z.strictObject({
  repos: z
    .array(z.string().regex(/^[\w.-]+\/[\w.-]+$/, 'owner/name'))
    .min(1)
    .max(20),
  include: z.array(z.enum(KINDS)).default(['new_issues', 'pr_reviews', 'failed_runs']),
  limit: z.int().min(1).max(50).default(10),
  language: LanguageChoice,
});
type Input = z.infer<typeof input>;

export const tool = defineTool<Input>({
  name: 'github_digest',
  toolset: 'actions',
  description: 'What is new in GitHub repositories: issues, pull requests that wait, runs that failed.',
  input,
  deferred: true,
  effect: () => 0,
  footprint: ({ repos }) => ({ reads: repos.map((repo) => `github:${repo}`) }),
  run: digest,
});

interface Entry {
  readonly kind: Kind;
  readonly repo: string;
  readonly number: number;
  readonly title: string;
  readonly url: string;
}

const ACTION: Readonly<Record<Kind, string | undefined>> = {
  new_issues: 'issues',
  pr_reviews: 'pulls',
  failed_runs: 'runs',
  security_alerts: undefined,
};
const TITLES: Readonly<Record<Kind, Text>> = {
  new_issues: tell('Open issues', '待处理 Issue'),
  pr_reviews: tell('Pull requests', '待审查 PR'),
  failed_runs: tell('Failed runs', '失败的流水线'),
  security_alerts: tell('Security alerts', '安全告警'),
};

async function digest(
  { repos, include, limit, language: asked }: Input,
  context: ToolContext,
): Promise<ToolResult> {
  const language = asked ?? context.language ?? 'en';
  const entries: Entry[] = [];
  const problems: string[] = [];
  for (const repo of repos)
    for (const kind of include) {
      context.signal.throwIfAborted();
      const action = ACTION[kind];
      if (action === undefined) {
        problems.push(
          tell(`${repo}: the github tool does not read ${kind}`, `${repo}：github 工具不读取 ${kind}`)[
            language
          ],
        );
        continue;
      }
      const result = await context.callTool('github', { action, repo, limit });
      if (result.isError) problems.push(`${repo} ${kind}: ${textOf(result).split('\n', 1)[0]}`);
      else entries.push(...entriesIn(kind, repo, result.data));
    }
  const text = wording(repos, entries, problems, language);
  const counts = Object.fromEntries(
    include.map((kind) => [kind, entries.filter((entry) => entry.kind === kind).length]),
  );
  const failed = entries.length === 0 && problems.length > 0;
  return {
    ...answer(text, `${entries.length} entries of ${repos.length} repositories`, {
      items: entries,
      count: entries.length,
      counts,
      problems,
      text,
    }),
    ...(failed ? { isError: true } : {}),
  };
}

function entriesIn(kind: Kind, repo: string, data: unknown): Entry[] {
  const list = listIn(data, 'items', 'runs');
  const bad = (entry: unknown) =>
    /^(?:failure|timed_out|startup_failure)$/.test(stringIn(entry, 'conclusion') ?? '');
  return list
    .filter((entry) => kind !== 'failed_runs' || bad(entry))
    .map((entry) => ({
      kind,
      repo,
      number: numberIn(entry, 'number') ?? numberIn(entry, 'id') ?? 0,
      title: stringIn(entry, 'title') ?? stringIn(entry, 'display_title') ?? stringIn(entry, 'name') ?? '',
      url: stringIn(entry, 'url') ?? stringIn(entry, 'html_url') ?? '',
    }));
}

function wording(
  repos: readonly string[],
  entries: readonly Entry[],
  problems: readonly string[],
  language: Language,
): string {
  const parts = repos.map((repo) => {
    const own = KINDS.flatMap((kind) => {
      const list = entries.filter((entry) => entry.repo === repo && entry.kind === kind);
      if (list.length === 0) return [];
      return [
        `### ${TITLES[kind][language]}`,
        ...list.map(({ number, title, url }) => `- #${number} ${title} ${url}`.trimEnd()),
      ];
    });
    return [`## ${repo}`, ...(own.length > 0 ? own : [tell('Nothing new.', '没有新内容。')[language]])].join(
      '\n',
    );
  });
  return [...parts, ...problems.map((problem) => `[${problem}]`)].join('\n\n');
}
