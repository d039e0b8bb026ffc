import type { LoopbackAnswer, LoopbackHandler } from './loopback-server.ts';

const HEAD = 'a'.repeat(40);

const issue = (number: number, title: string, more: object = {}) => ({
  number,
  title,
  state: 'open',
  body: 'Steps to reproduce\u200b: wait.',
  user: { login: 'mona' },
  html_url: `https://github.com/shop/app/issues/${number}`,
  updated_at: '2026-01-01T10:00:00Z',
  labels: [{ name: 'bug' }],
  ...more,
});
const PULL = {
  head: { ref: 'fix', sha: HEAD },
  base: { ref: 'main' },
  mergeable_state: 'clean',
  merged: false,
};

const READS: Readonly<Record<string, unknown>> = {
  '/repos/shop/app/issues': [issue(1, 'Pool exhausted'), issue(2, 'Fix the pool', { pull_request: {} })],
  '/repos/shop/app/pulls': [issue(2, 'Fix the pool', { ...PULL, draft: true })],
  '/repos/shop/app/issues/1': issue(1, 'Pool exhausted'),
  '/repos/shop/app/issues/1/comments': [{ user: { login: 'hub' }, created_at: '2026-01-02', body: 'Me too' }],
  '/repos/shop/app/pulls/2': issue(2, 'Fix the pool', PULL),
  '/repos/shop/app/issues/2/comments': [],
  '/repos/shop/app/pulls/2/files': [
    { filename: 'a.ts', status: 'modified', additions: 1, deletions: 2, patch: '@@ -1 +1 @@' },
  ],
  '/repos/shop/app/commits/main/check-runs': {
    total_count: 2,
    check_runs: [
      { name: 'test', status: 'completed', conclusion: 'failure', html_url: 'https://github.com/x' },
      { name: 'lint', status: 'in_progress', conclusion: null, html_url: null },
    ],
  },
  '/repos/shop/app/actions/runs': {
    total_count: 1,
    workflow_runs: [
      {
        id: 7,
        name: 'CI',
        display_title: 'Fix',
        head_branch: 'fix',
        status: 'completed',
        conclusion: 'success',
        created_at: '2026-01-01',
      },
    ],
  },
  '/repos/shop/app/contents/src/a.ts': {
    type: 'file',
    encoding: 'base64',
    content: 'Y29uc3QgYSA9IDE7Cg==\n',
    size: 13,
    path: 'src/a.ts',
  },
  '/repos/shop/app/contents/big.bin': {
    type: 'file',
    encoding: 'none',
    content: '',
    size: 200_000_000,
    path: 'big.bin',
  },
  '/repos/shop/app/contents/src': [
    { name: 'a.ts', type: 'file', size: 13 },
    { name: 'lib', type: 'dir', size: 0 },
  ],
};

/** The part of GitHub's REST API that reads and answers issues and pull requests, with one small repository. */
export function githubApi(token: string): LoopbackHandler {
  return ({ method, path, headers, json }): LoopbackAnswer => {
    if (headers.authorization !== `Bearer ${token}`)
      return { status: 401, body: { message: 'Bad credentials' } };
    if (method === 'GET') {
      const found = READS[path];
      return found === undefined ? { status: 404, body: { message: 'Not Found' } } : { body: found };
    }
    const sent = json() as { body?: string; title?: string; sha?: string };
    if (path === '/repos/shop/app/issues/1/comments')
      return {
        status: 201,
        body: { user: null, body: sent.body, html_url: 'https://github.com/shop/app/issues/1#c' },
      };
    if (path === '/repos/shop/app/issues') return { status: 201, body: issue(3, sent.title ?? '') };
    if (path !== '/repos/shop/app/pulls/2/merge')
      return { status: 403, body: { message: 'Resource not accessible by personal access token' } };
    if (sent.sha !== HEAD)
      return { status: 409, body: { message: 'Head branch was modified. Review and try the merge again.' } };
    return { body: { merged: true, sha: 'b'.repeat(40), message: 'Pull Request successfully merged' } };
  };
}
