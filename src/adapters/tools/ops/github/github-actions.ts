import { z } from 'zod';
import { fail } from '#kit/app-error';
import type { EffectLevel, ToolContext } from '#spec/ports';
import {
  askGithub,
  CheckRun,
  Comment,
  commentText,
  Issue,
  issueLine,
  WorkflowRun,
  written,
} from './github-service.ts';

interface GithubInput {
  readonly repo: string;
  readonly number?: number | undefined;
  readonly ref?: string | undefined;
  readonly path?: string | undefined;
  readonly title?: string | undefined;
  readonly body?: string | undefined;
  readonly state: 'open' | 'closed' | 'all';
  readonly limit: number;
}

export interface GithubAnswer {
  readonly text: string;
  readonly summary: string;
  readonly data: unknown;
}

interface GithubAction {
  readonly level: EffectLevel;
  run(input: GithubInput, context: ToolContext): Promise<GithubAnswer>;
}

/** What can be done with a repository, by name. */
export const GITHUB_ACTIONS = {
  issues: { level: 0, run: (input, context) => list(input, 'issues', context) },
  pulls: { level: 0, run: (input, context) => list(input, 'pulls', context) },
  issue: { level: 0, run: (input, context) => one(input, 'issues', context) },
  pull: { level: 0, run: (input, context) => one(input, 'pulls', context) },
  files_changed: { level: 0, run: filesChanged },
  checks: { level: 0, run: checks },
  runs: { level: 0, run: runs },
  file: { level: 0, run: file },
  comment: { level: 2, run: comment },
  create_issue: { level: 2, run: createIssue },
  merge: { level: 3, run: merge },
} as const satisfies Record<string, GithubAction>;

export type GithubActionName = keyof typeof GITHUB_ACTIONS;

function need<Key extends 'number' | 'ref' | 'path' | 'title' | 'body'>(
  input: GithubInput,
  key: Key,
): NonNullable<GithubInput[Key]> {
  const value = input[key];
  if (value === undefined) throw fail('input.invalid', `This action needs ${key}.`);
  return value;
}

async function list(
  { repo, state, limit }: GithubInput,
  kind: 'issues' | 'pulls',
  context: ToolContext,
): Promise<GithubAnswer> {
  const query = new URLSearchParams({
    state,
    per_page: String(kind === 'issues' ? 100 : limit),
    sort: 'updated',
    direction: 'desc',
  });
  const found = await askGithub(`repos/${repo}/${kind}?${query}`, z.array(Issue), context);
  // The API counts pull requests among the issues.
  const shown = found.filter((item) => kind === 'pulls' || item.pull_request === undefined).slice(0, limit);
  const items = shown.map(({ number, title, state: now, html_url: url }) => ({
    number,
    title,
    state: now,
    url,
  }));
  return {
    text: shown.map(issueLine).join('\n') || `There are no ${state} ${kind}.`,
    summary: `${shown.length} ${kind} of ${repo}`,
    data: { items },
  };
}

async function one(
  input: GithubInput,
  kind: 'issues' | 'pulls',
  context: ToolContext,
): Promise<GithubAnswer> {
  const number = need(input, 'number');
  const item = await askGithub(`repos/${input.repo}/${kind}/${number}`, Issue, context);
  const comments = await askGithub(
    `repos/${input.repo}/issues/${number}/comments?per_page=${input.limit}`,
    z.array(Comment),
    context,
  );
  const branch = item.head
    ? [
        `${item.head.ref} (${item.head.sha}) into ${item.base?.ref ?? '?'}, ${item.merged ? 'merged' : (item.mergeable_state ?? 'state unknown')}`,
      ]
    : [];
  const text = [
    issueLine(item),
    ...branch,
    item.html_url,
    written(item.body),
    ...comments.map(commentText),
  ].join('\n');
  return {
    text,
    summary: `${input.repo}#${number}: ${item.title}`.slice(0, 160),
    data: { ...item, comments: comments.length },
  };
}

const Changed = z.object({
  filename: z.string(),
  status: z.string(),
  additions: z.number(),
  deletions: z.number(),
  patch: z.string().optional(),
});

async function filesChanged(input: GithubInput, context: ToolContext): Promise<GithubAnswer> {
  const number = need(input, 'number');
  const files = await askGithub(
    `repos/${input.repo}/pulls/${number}/files?per_page=${input.limit}`,
    z.array(Changed),
    context,
  );
  const text = files.map(
    (entry) =>
      `${entry.status} ${entry.filename} (+${entry.additions} −${entry.deletions})\n${written(entry.patch, 3_000)}`,
  );
  return {
    text: text.join('\n\n') || 'Nothing is changed.',
    summary: `${files.length} files in ${input.repo}#${number}`,
    data: {
      files: files.map(({ filename, status, additions, deletions }) => ({
        filename,
        status,
        additions,
        deletions,
      })),
    },
  };
}

async function checks(input: GithubInput, context: ToolContext): Promise<GithubAnswer> {
  const ref = encodeURIComponent(need(input, 'ref'));
  const schema = z.object({ check_runs: z.array(CheckRun) });
  const found = await askGithub(
    `repos/${input.repo}/commits/${ref}/check-runs?per_page=${input.limit}`,
    schema,
    context,
  );
  const all = found.check_runs;
  const failed = all.filter(({ conclusion }) => conclusion && !/success|neutral|skipped/.test(conclusion));
  const text = all.map((run) =>
    `${run.conclusion ?? run.status}: ${run.name} ${run.html_url ?? ''}`.trimEnd(),
  );
  return {
    text: text.join('\n') || 'There are no checks.',
    summary: `${all.length} checks, ${failed.length} failed`,
    data: { checks: all, failed: failed.length },
  };
}

async function runs(input: GithubInput, context: ToolContext): Promise<GithubAnswer> {
  const query = new URLSearchParams({
    per_page: String(input.limit),
    ...(input.ref ? { branch: input.ref } : {}),
  });
  const schema = z.object({ workflow_runs: z.array(WorkflowRun) });
  const found = await askGithub(`repos/${input.repo}/actions/runs?${query}`, schema, context);
  const lines = found.workflow_runs.map(
    (run) =>
      `${run.id} ${run.conclusion ?? run.status ?? '?'}: ${run.name ?? ''} on ${run.head_branch ?? '?'}, ${written(run.display_title, 120)} (${run.created_at})`,
  );
  return {
    text: lines.join('\n') || 'There are no runs.',
    summary: `${lines.length} runs of ${input.repo}`,
    data: { runs: found.workflow_runs },
  };
}

const Content = z.union([
  z.array(z.object({ name: z.string(), type: z.string(), size: z.number() })),
  z.object({
    type: z.string(),
    encoding: z.string().optional(),
    content: z.string().optional(),
    size: z.number(),
    path: z.string(),
  }),
]);

async function file(input: GithubInput, context: ToolContext): Promise<GithubAnswer> {
  const path = need(input, 'path').split('/').map(encodeURIComponent).join('/');
  const query = input.ref ? `?${new URLSearchParams({ ref: input.ref })}` : '';
  const found = await askGithub(`repos/${input.repo}/contents/${path}${query}`, Content, context);
  if (Array.isArray(found)) {
    const text = found
      .map(({ name, type, size }) => (type === 'dir' ? `${name}/` : `${name} (${size})`))
      .join('\n');
    return { text, summary: `folder, ${found.length} entries`, data: { entries: found } };
  }
  if (found.encoding !== 'base64' || found.content === undefined)
    throw fail('tool.failed', `${found.path} is too large or no file (${found.size} bytes).`);
  const bytes = Buffer.from(found.content, 'base64');
  if (bytes.includes(0)) throw fail('tool.failed', `${found.path} is not text (${found.size} bytes).`);
  return {
    text: written(bytes.toString('utf8'), 40_000),
    summary: `${found.path}, ${found.size} bytes`,
    data: { path: found.path, size: found.size },
  };
}

async function comment(input: GithubInput, context: ToolContext): Promise<GithubAnswer> {
  const number = need(input, 'number');
  const change = { method: 'POST', json: { body: need(input, 'body') } } as const;
  const made = await askGithub(`repos/${input.repo}/issues/${number}/comments`, Comment, context, change);
  return {
    text: `Commented: ${made.html_url}`,
    summary: `commented on ${input.repo}#${number}`,
    data: { url: made.html_url },
  };
}

async function createIssue(input: GithubInput, context: ToolContext): Promise<GithubAnswer> {
  const change = { method: 'POST', json: { title: need(input, 'title'), body: input.body ?? '' } } as const;
  const made = await askGithub(`repos/${input.repo}/issues`, Issue, context, change);
  return {
    text: `Opened ${input.repo}#${made.number}: ${made.html_url}`,
    summary: `opened ${input.repo}#${made.number}`,
    data: { number: made.number, url: made.html_url },
  };
}

/** Only what was looked at: the commit has to be named, and GitHub refuses when there is a newer one. */
async function merge(input: GithubInput, context: ToolContext): Promise<GithubAnswer> {
  const number = need(input, 'number');
  const change = { method: 'PUT', json: { sha: need(input, 'ref') } } as const;
  const schema = z.object({
    merged: z.boolean(),
    message: z.string().default(''),
    sha: z.string().default(''),
  });
  const made = await askGithub(`repos/${input.repo}/pulls/${number}/merge`, schema, context, change);
  if (!made.merged) throw fail('tool.failed', `GitHub did not merge it: ${made.message}`);
  return {
    text: `Merged ${input.repo}#${number} as ${made.sha}.`,
    summary: `merged ${input.repo}#${number}`,
    data: made,
  };
}
