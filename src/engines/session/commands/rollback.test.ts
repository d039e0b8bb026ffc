import { describe, expect, it } from 'vitest';
import { fail } from '#kit/app-error';
import type { Language } from '#kit/language';
import type { Checkpoints } from '#spec/ports';
import type { CommandScope } from '../slash-command.ts';
import { command } from './rollback.ts';

/** Three checkpoints of three conversations, and what was asked of them. */
function threeCheckpoints() {
  const asked: unknown[][] = [];
  const checkpoints: Checkpoints = {
    take: async () => 'c9',
    list: async () => [
      {
        id: 'c8',
        at: 1_700_000_000_000,
        changed: 2,
        before: [
          { kind: 'turn', session: 'ses_here', turn: 1 },
          { kind: 'turn', session: 'ses_mine', turn: 3 },
        ],
      },
      {
        id: 'c5',
        at: 1_650_000_000_000,
        changed: 1,
        before: [{ kind: 'rollback', to: 'c3', session: 'ses_theirs' }],
      },
      { id: 'c3', at: 1_600_000_000_000, changed: 1, before: [{ kind: 'other', label: 'begin `it`' }] },
    ],
    diff: async (...args) => {
      asked.push(['diff', ...args]);
      return {
        changes: [
          { path: 'a.md', kind: 'changed' },
          { path: 'n', kind: 'removed' },
        ],
        text: '-old\n+```\n',
      };
    },
    restore: async (id, session, path) => {
      asked.push(['restore', id, session, path]);
      if (path === '../x') throw fail('input.invalid', '../x is not a path inside the workspace');
      return {
        restored: ['a b.txt'],
        removed: ['n'],
        failed: [{ path: 'p', reason: 'a folder stands in its place' }],
        before: 'c9',
      };
    },
    leftOut: async () => ['.env'],
  };
  return { checkpoints, asked };
}

const run = async (args: string, checkpoints: Checkpoints | undefined, language: Language = 'en') => {
  const scope = {
    language,
    state: { session: { id: 'ses_here' } },
    titleOf: async (id: string) => (id === 'ses_mine' ? 'mend `it`' : undefined),
    ...(checkpoints ? { checkpoints } : { noCheckpoints: 'git is not installed' }),
  } as unknown as CommandScope;
  return command.run(args, scope);
};

describe('/rollback', () => {
  it('lists, newest first, of which conversation and when, and says what is not kept', async () => {
    const { text } = await run('', threeCheckpoints().checkpoints);
    expect(text).toContain(
      "1. `c8` 2023-11-14 22:13 · 2 files · before turn 3 of `mend 'it'`; before turn 1 of this conversation",
    );
    expect(text).toContain('2. `c5` 2022-04-15 05:20 · 1 file · before going back to `c3` in `ses_theirs`');
    expect(text).toContain("3. `c3` 2020-09-13 12:26 · 1 file · `begin 'it'`");
    expect(text).toContain('Not kept (secrets, large files): `.env`');
    expect((await run('', threeCheckpoints().checkpoints, 'zh')).text).toContain('本次对话第 1 轮之前');
  });

  it.each([
    ['2', 'c5', undefined],
    ['c8', 'c8', undefined],
    ['undo', 'c5', undefined],
    ['1 src/a b.txt', 'c8', 'src/a b.txt'],
  ])('shows first what going back would do: %s', async (args, id, path) => {
    const { checkpoints, asked } = threeCheckpoints();
    const { text, next } = await run(args, checkpoints);
    expect(asked).toEqual([['diff', id, path]]);
    expect(text).toContain(`Going back to \`${id}\` would do this (0 added, 1 changed, 1 removed):`);
    expect(text).toContain('- ~ `a.md`\n- − `n`\n\n````diff\n-old\n+```\n````');
    const line = `/rollback confirm ${[id, path].filter(Boolean).join(' ')}`;
    expect(next).toEqual({ question: `Take the files back to ${id}? (0 added, 1 changed, 1 removed)`, line });
    expect(text).toContain(line);
    // What it offers is what it then does.
    const acted = threeCheckpoints();
    const done = await run(line.slice('/rollback '.length), acted.checkpoints);
    expect(acted.asked).toEqual([['restore', id, 'ses_here', path]]);
    expect(done.text).toContain(`The files are back at \`${id}\`.`);
    expect(done.text).toContain(
      '- As before: `a b.txt`\n- Removed: `n`\n- Left alone: `p` (a folder stands in its place)',
    );
    expect(done.text).toContain('`/rollback undo` undoes this.');
    expect(done.next).toBeUndefined();
  });

  it('shows without offering', async () => {
    const { checkpoints, asked } = threeCheckpoints();
    expect((await run('diff 3 src', checkpoints)).next).toBeUndefined();
    await run('diff', checkpoints);
    expect(asked).toEqual([
      ['diff', 'c3', 'src'],
      ['diff', 'c8', undefined],
    ]);
  });

  it.each(['4', '0', 'c9', 'x'])('restores nothing for %s', async (args) => {
    const { checkpoints, asked } = threeCheckpoints();
    for (const line of [args, `confirm ${args}`])
      expect((await run(line, checkpoints)).text).toContain(`There is no checkpoint \`${args}\``);
    expect(asked).toEqual([]);
  });

  it('does not guess what is to be confirmed', async () => {
    const { checkpoints, asked } = threeCheckpoints();
    expect((await run('confirm', checkpoints)).text).toContain('Say which one');
    expect(asked).toEqual([]);
  });

  it('says when there is nothing, or what went wrong', async () => {
    const { checkpoints } = threeCheckpoints();
    expect((await run('', undefined)).text).toBe(
      'This conversation keeps no checkpoints: git is not installed.',
    );
    const none = { ...checkpoints, list: async () => [] };
    expect((await run('', none)).text).toContain('There is no checkpoint yet');
    const [newest] = await checkpoints.list();
    const fresh = { ...checkpoints, list: async () => (newest ? [newest] : []) };
    expect((await run('undo', fresh)).text).toContain('nothing to undo');
    expect((await run('confirm 1 ../x', checkpoints)).text).toBe('../x is not a path inside the workspace');
  });
});
