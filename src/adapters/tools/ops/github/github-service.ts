import { z } from 'zod';
import { fail } from '#kit/app-error';
import { dropHidden } from '#kit/hidden-characters';
import type { Missing, ToolContext, ToolPlace } from '#spec/ports';
import { askJson } from '../../services/ask-service.ts';
import { serviceUrl } from '../../services/service-urls.ts';

export function noGithub(place: ToolPlace): Missing | undefined {
  if (place.key('GITHUB_TOKEN')) return undefined;
  return {
    what: 'GitHub is not connected.',
    fix: 'Set GITHUB_TOKEN (and GITHUB_API_URL for an own server).',
  };
}

/** Asks the REST API under a path; a body makes it a change. */
export function askGithub<T>(
  path: string,
  schema: z.ZodType<T>,
  context: ToolContext,
  change?: { readonly method: 'POST' | 'PUT'; readonly json: unknown },
): Promise<T> {
  const secret = context.key('GITHUB_TOKEN');
  if (!secret) throw fail('tool.failed', 'GitHub is not connected.', noGithub(context)?.fix);
  const base = serviceUrl(context, 'GITHUB_API_URL') ?? 'https://api.github.com';
  return askJson(
    {
      name: 'GitHub',
      url: `${base}/${path}`,
      headers: {
        authorization: `Bearer ${secret}`,
        accept: 'application/vnd.github+json',
        'x-github-api-version': '2022-11-28',
      },
      ...(change ? change : {}),
      secret,
      keys: 'GITHUB_TOKEN and its permissions',
    },
    schema,
    context,
  );
}

const User = z.object({ login: z.string() }).nullish();
const Name = z.union([z.string(), z.object({ name: z.string() })]);

/** An issue or a pull request; only what is read is named. */
export const Issue = z.object({
  number: z.number(),
  title: z.string(),
  state: z.string(),
  body: z.string().nullish(),
  user: User,
  html_url: z.string().default(''),
  updated_at: z.string().default(''),
  labels: z.array(Name).default([]),
  pull_request: z.unknown().optional(),
  merged: z.boolean().optional(),
  draft: z.boolean().optional(),
  mergeable_state: z.string().optional(),
  head: z.object({ ref: z.string(), sha: z.string() }).optional(),
  base: z.object({ ref: z.string() }).optional(),
});
export type Issue = z.infer<typeof Issue>;

export const Comment = z.object({
  user: User,
  created_at: z.string().default(''),
  body: z.string().nullish(),
  html_url: z.string().default(''),
});

export const CheckRun = z.object({
  name: z.string(),
  status: z.string(),
  conclusion: z.string().nullish(),
  html_url: z.string().nullish(),
});

export const WorkflowRun = z.object({
  id: z.number(),
  name: z.string().nullish(),
  display_title: z.string().default(''),
  head_branch: z.string().nullish(),
  status: z.string().nullish(),
  conclusion: z.string().nullish(),
  created_at: z.string().default(''),
  html_url: z.string().default(''),
});

/** A line for a list. */
export const issueLine = ({ number, title, state, user, draft, labels }: Issue): string => {
  const names = labels.map((label) => (typeof label === 'string' ? label : label.name));
  const marks = [state, ...(draft ? ['draft'] : []), ...names].join(', ');
  return dropHidden(`#${number} ${title} (${marks}; ${user?.login ?? 'unknown'})`);
};

const MOST_BODY = 8_000;
const MOST_COMMENT = 2_000;

/** What was written, bounded and without hidden characters: strangers write there. */
export const written = (text: string | null | undefined, most = MOST_BODY): string => {
  const plain = dropHidden(text ?? '').trim();
  return plain.length > most ? `${plain.slice(0, most).toWellFormed()} … [cut]` : plain;
};

export const commentText = ({ user, created_at: at, body }: z.infer<typeof Comment>): string =>
  `--- ${user?.login ?? 'unknown'}, ${at}\n${written(body, MOST_COMMENT)}`;
