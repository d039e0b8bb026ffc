import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ToolResult } from '#spec/ports';
import { githubApi, type LoopbackServer, loopbackWeb, startLoopback } from '#testkit/web';
import { toolContext } from '#testkit/tool-context';
import { tool } from './github.ts';

let server: LoopbackServer;
beforeEach(async () => {
  server = await startLoopback(githubApi('ghp_right'));
});
afterEach(() => server.close());

const use = (input: object, token = 'ghp_right') => {
  const keys: Record<string, string> = { GITHUB_TOKEN: token, GITHUB_API_URL: 'https://git.corp/api/v3/' };
  const web = loopbackWeb({ 'https://git.corp': server.url });
  const stripped: typeof web = {
    ...web,
    fetch: (request, signal) => web.fetch({ ...request, url: request.url.replace('/api/v3', '') }, signal),
  };
  return tool.run(
    tool.input.parse({ repo: 'shop/app', ...input }),
    toolContext({ web: stripped, key: (name) => keys[name] }),
  );
};
const textOf = ({ content }: ToolResult) =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('');

describe('github', () => {
  it('lists issues without pull requests, and pull requests', async () => {
    expect(textOf(await use({ action: 'issues' }))).toBe('#1 Pool exhausted (open, bug; mona)');
    expect(textOf(await use({ action: 'pulls' }))).toBe('#2 Fix the pool (open, draft, bug; mona)');
  });

  it('reads one with its comments, without what is hidden', async () => {
    const text = textOf(await use({ action: 'issue', number: 1 }));
    expect(text).toContain('Steps to reproduce: wait.');
    expect(text).toContain('--- hub, 2026-01-02\nMe too');
    expect(textOf(await use({ action: 'pull', number: 2 }))).toContain('into main, clean');
  });

  it('reads changed files, checks, runs, files and folders', async () => {
    expect(textOf(await use({ action: 'files_changed', number: 2 }))).toContain('modified a.ts (+1 −2)');
    const checks = await use({ action: 'checks', ref: 'main' });
    expect(checks).toMatchObject({ summary: '2 checks, 1 failed', data: { failed: 1 } });
    expect(textOf(checks)).toContain('in_progress: lint');
    expect(textOf(await use({ action: 'runs' }))).toContain('7 success: CI on fix');
    expect(textOf(await use({ action: 'file', path: 'src/a.ts' }))).toBe('const a = 1;');
    expect(textOf(await use({ action: 'file', path: 'src' }))).toBe('a.ts (13)\nlib/');
    expect(await use({ action: 'file', path: 'big.bin' })).toMatchObject({ isError: true });
  });

  it('comments, opens an issue, and merges only the commit that was seen', async () => {
    expect(await use({ action: 'comment', number: 1, body: 'On it' })).toMatchObject({
      summary: 'commented on shop/app#1',
    });
    expect(server.requests.at(-1)?.json()).toEqual({ body: 'On it' });
    expect(await use({ action: 'create_issue', title: 'New' })).toMatchObject({ data: { number: 3 } });
    const late = await use({ action: 'merge', number: 2, ref: 'c'.repeat(40) });
    expect(late).toMatchObject({ isError: true });
    expect(textOf(late)).toContain('Head branch was modified');
    expect(await use({ action: 'merge', number: 2, ref: 'a'.repeat(40) })).toMatchObject({
      summary: 'merged shop/app#2',
    });
  });

  it('answers with an error for what is missing, forbidden or unknown', async () => {
    expect((await use({ action: 'issue' })).summary).toBe('This action needs number.');
    expect((await use({ action: 'issue', number: 9 })).summary).toBe('GitHub answered 404: Not Found');
    expect(textOf(await use({ action: 'issues' }, 'ghp_wrong'))).toContain('Check GITHUB_TOKEN');
    expect(textOf(await use({ action: 'merge', number: 5, ref: 'x' }))).toContain('not accessible');
  });

  it.each([
    { repo: '../..', action: 'issues' },
    { repo: 'shop', action: 'issues' },
    { repo: 'shop/app/issues', action: 'issues' },
    { repo: 'shop/..', action: 'issues' },
    { repo: 'shop/app', action: 'file', path: 'a/../../../user' },
    { repo: 'shop/app', action: 'checks', ref: '..' },
  ])('does not leave the repository: %j', (input) => {
    expect(tool.input.safeParse(input).success).toBe(false);
  });

  it('tells the gate what it does', () => {
    const level = (action: string) => tool.effect(tool.input.parse({ repo: 'a/b', action }));
    expect(['issues', 'file', 'comment', 'create_issue', 'merge'].map(level)).toEqual([0, 0, 2, 2, 3]);
    expect(tool.deed?.(tool.input.parse({ repo: 'a/b', action: 'merge', number: 4 }))).toEqual({
      sendsTo: ['github:a/b'],
      brings: ['untrusted', 'private'],
      confirm: { en: 'Merges a/b#4.', zh: '合并 a/b#4。' },
    });
    expect(tool.missing?.(toolContext())?.fix).toContain('GITHUB_TOKEN');
  });
});
