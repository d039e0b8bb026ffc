import { z } from 'zod';
import { tell } from '#kit/text';
import { defineTool } from '#spec/ports';
import { GITHUB_ACTIONS, type GithubActionName } from './github-actions.ts';
import { noGithub } from './github-service.ts';
import { answer } from '../../text/answer.ts';
import { asResult } from '../../services/as-result.ts';

const NAMES = Object.keys(GITHUB_ACTIONS) as [GithubActionName, ...GithubActionName[]];
const Part = /^[\w.-]+\/[\w.-]+$/;
/** A step upwards would leave the repository: addresses are completed that way. */
const stays = (path: string): boolean => !path.split('/').some((part) => part === '.' || part === '..');

const input = z.strictObject({
  action: z.enum(NAMES),
  repo: z.string().regex(Part, 'owner/name').refine(stays, 'owner/name'),
  number: z.int().min(1).optional().describe('of the issue or pull request'),
  ref: z
    .string()
    .min(1)
    .max(200)
    .refine(stays, 'a branch, tag or commit')
    .optional()
    .describe('branch, tag or commit; for merge, the head commit that was seen'),
  path: z.string().max(500).refine(stays, 'a path within the repository').optional(),
  title: z.string().min(1).max(200).optional(),
  body: z.string().min(1).max(20_000).optional(),
  state: z.enum(['open', 'closed', 'all']).default('open'),
  limit: z.int().min(1).max(50).default(20),
});
type Input = z.infer<typeof input>;

export const tool = defineTool<Input>({
  name: 'github',
  toolset: 'ops',
  description:
    'GitHub: read issues, pull requests, changed files, checks, workflow runs, file contents; comment, open an issue, merge.',
  input,
  deferred: true,
  effect: ({ action }) => GITHUB_ACTIONS[action].level,
  footprint: ({ action, repo }) =>
    GITHUB_ACTIONS[action].level > 0 ? { writes: [`github:${repo}`] } : { reads: [`github:${repo}`] },
  deed: ({ action, repo, number }) => ({
    // What is read by its number or name tells nobody anything.
    ...(GITHUB_ACTIONS[action].level > 0 ? { sendsTo: [`github:${repo}`] } : {}),
    brings: ['untrusted', 'private'],
    ...(action === 'merge'
      ? { confirm: tell(`Merges ${repo}#${number ?? '?'}.`, `合并 ${repo}#${number ?? '?'}。`) }
      : {}),
  }),
  missing: noGithub,
  maxChars: 50_000,
  run: (wanted, context) =>
    asResult(async () => {
      const { text, summary, data } = await GITHUB_ACTIONS[wanted.action].run(wanted, context);
      return answer(text, summary, data);
    }),
});
