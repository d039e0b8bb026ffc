import { describe, expect, it } from 'vitest';
import { fail } from '#kit/app-error';
import type { Language } from '#kit/language';
import type { Checkpoints } from '#spec/ports';
import type { CommandScope } from '../slash-command.ts';
import { command } from './rollback.ts';

/** Two checkpoints, and what was asked of them. */
function twoCheckpoints() {
  const asked: unknown[][] = [];
  const checkpoints: Checkpoints = {
    take: async () => undefined,
    list: async () => [
      { id: 'c8', label: 'mend `it`', at: 1_700_000_000_000, changed: 2 },
      { id: 'c3', label: 'begin', at: 1_600_000_000_000, changed: 1 },
    ],
    diff: async (...args) => {
      asked.push(['diff', ...args]);
      return { changes: [{ path: 'a.md', kind: 'changed' }], text: '-old\n+```\n' };
    },
    restore: async (id, path) => {
      asked.push(['restore', id, path]);
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
  const scope = { language, ...(checkpoints ? { checkpoints } : {}) } as unknown as CommandScope;
  return (await command.run(args, scope)).text;
};

describe('/rollback', () => {
  it('lists, newest first, and says what is not kept', async () => {
    const text = await run('', twoCheckpoints().checkpoints);
    expect(text).toContain("1. `c8` 2023-11-14 22:13 · 2 files · `mend 'it'`");
    expect(text).toContain('2. `c3`');
    expect(text).toContain('Not kept (secrets, large files): `.env`');
    expect(await run('', twoCheckpoints().checkpoints, 'zh')).toContain('2 个文件');
  });

  it.each([
    ['2', 'c3', undefined],
    ['c8', 'c8', undefined],
    ['1 src/a b.txt', 'c8', 'src/a b.txt'],
  ])('goes back: %s', async (args, id, path) => {
    const { checkpoints, asked } = twoCheckpoints();
    const text = await run(args, checkpoints);
    expect(asked).toEqual([['restore', id, path]]);
    expect(text).toContain(`The files are back at \`${id}\`.`);
    expect(text).toContain(
      '- As before: `a b.txt`\n- Removed: `n`\n- Left alone: `p` (a folder stands in its place)',
    );
    expect(text).toContain('`/rollback c9` undoes this.');
  });

  it('shows what has changed since, fenced in', async () => {
    const { checkpoints, asked } = twoCheckpoints();
    expect(await run('diff 2 src', checkpoints)).toContain('- ~ `a.md`\n\n````diff\n-old\n+```\n````');
    await run('diff', checkpoints);
    expect(asked).toEqual([
      ['diff', 'c3', 'src'],
      ['diff', 'c8', undefined],
    ]);
  });

  it.each(['3', '0', 'c9', 'x'])('restores nothing for %s', async (args) => {
    const { checkpoints, asked } = twoCheckpoints();
    expect(await run(args, checkpoints)).toContain(`There is no checkpoint \`${args}\``);
    expect(asked).toEqual([]);
  });

  it('says when there is nothing, or what went wrong', async () => {
    const { checkpoints } = twoCheckpoints();
    expect(await run('', undefined)).toBe('This conversation keeps no checkpoints.');
    expect(await run('', { ...checkpoints, list: async () => [] })).toContain('There is no checkpoint yet');
    expect(await run('1 ../x', checkpoints)).toBe('../x is not a path inside the workspace');
  });
});
