import { describe, expect, it } from 'vitest';
import type { Todo } from '#spec/data';
import type { RecalledMessage, Tool, ToolContext } from '#spec/ports';
import { toolContext } from '#testkit/tool-context';
import { tool as clarify } from './clarify.ts';
import { tool as sessionSearch } from './session-search.ts';
import { tool as todo } from './todo.ts';

function context(more: Partial<ToolContext> = {}): ToolContext {
  let todos: readonly Todo[] = [];
  return toolContext({
    recall: { search: async () => [], recent: async () => [] },
    todos: {
      read: () => todos,
      write: (list) => {
        todos = list;
      },
    },
    ...more,
  });
}

/** Checks the input as a batch does, and runs. */
async function run(tool: Tool, input: unknown, given = context()) {
  const { content, ...rest } = await tool.run(tool.input.parse(input), given);
  return { ...rest, text: content.map((part) => (part.type === 'text' ? part.text : '')).join('') };
}

describe('todo', () => {
  it('keeps the plan and shows it', async () => {
    const given = context();
    expect(await run(todo, {}, given)).toMatchObject({ text: 'The plan is empty.', summary: '0 of 0 done' });
    const items = (['pending', 'active', 'done', 'dropped'] as const).map((state) => ({
      text: state,
      state,
    }));
    const written = await run(todo, { items }, given);
    expect(written).toMatchObject({ summary: '1 of 4 done', data: items });
    expect(written.text).toBe('[ ] pending\n[>] active\n[x] done\n[-] dropped');
    expect((await run(todo, {}, given)).text).toBe(written.text);
    expect((await run(todo, { items: [] }, given)).text).toBe('The plan is empty.');
  });

  it('takes nothing that is no plan', () => {
    for (const wrong of [
      { items: [{ text: '', state: 'done' }] },
      { items: [{ text: 'a', state: 'maybe' }] },
      { x: 1 },
    ])
      expect(todo.input.safeParse(wrong).success).toBe(false);
    const many = Array.from({ length: 51 }, () => ({ text: 'a', state: 'done' }));
    expect(todo.input.safeParse({ items: many }).success).toBe(false);
  });

  it('does not write beside another that reads', () => {
    expect(todo.footprint?.({ items: [] })).toEqual({ writes: ['todo:'] });
    expect(todo.footprint?.({})).toEqual({ reads: ['todo:'] });
  });
});

describe('clarify', () => {
  it('asks the user and gives the answer', async () => {
    const asked: unknown[] = [];
    const ask = async (...question: unknown[]) => {
      asked.push(question);
      return 'the blue one';
    };
    const choices = ['red', 'blue'];
    expect(await run(clarify, { question: 'Which?', choices }, context({ ask }))).toMatchObject({
      text: 'The user answers: the blue one',
      summary: 'the blue one',
    });
    expect(asked).toEqual([['Which?', choices]]);
  });

  it('goes on when nobody answers', async () => {
    const { text } = await run(clarify, { question: 'Which?' }, context({ ask: async () => undefined }));
    expect(text).toMatch(/did not answer.*assumed/);
  });

  it('is there only where somebody can be asked, runs alone, and offers four choices at most', () => {
    expect(clarify.missing?.(toolContext())).toMatchObject({ what: 'nobody can be asked here' });
    expect(clarify.missing?.(toolContext({ ask: async () => '' }))).toBeUndefined();
    expect(clarify.footprint?.({ question: 'a' })).toBeUndefined();
    expect(clarify.input.safeParse({ question: 'a', choices: ['1', '2', '3', '4', '5'] }).success).toBe(
      false,
    );
  });
});

describe('session_search', () => {
  const at = Date.UTC(2026, 4, 3, 9, 30);
  const hit: RecalledMessage = {
    session: 'ses_1',
    title: 'pool',
    at,
    role: 'assistant',
    text: 'size 20',
    score: 1,
  };

  it('shows what was said, where and when', async () => {
    const asked: unknown[] = [];
    const recall = {
      recent: async () => [],
      search: async (...query: unknown[]) => {
        asked.push(query);
        return [hit, { ...hit, role: 'user', text: 'which size?' }];
      },
    };
    const { text, summary } = await run(sessionSearch, { query: 'pool size', limit: 3 }, context({ recall }));
    expect(asked).toEqual([['pool size', 3]]);
    expect(text).toBe(
      '## pool (ses_1, 2026-05-03 09:30)\nassistant: size 20\n\n## pool (ses_1, 2026-05-03 09:30)\nuser: which size?',
    );
    expect(summary).toBe('2 found');
  });

  it('lists the recent ones without a query, and says when there is nothing', async () => {
    const recall = { search: async () => [], recent: async () => [{ session: 'ses_1', title: 'pool', at }] };
    expect((await run(sessionSearch, { query: ' ' }, context({ recall }))).text).toBe(
      '2026-05-03 09:30  ses_1  pool',
    );
    expect((await run(sessionSearch, {})).text).toBe('There are none yet.');
    expect((await run(sessionSearch, { query: 'x' })).text).toBe('Nothing was found.');
  });

  it('finds twenty at most', () => {
    expect(sessionSearch.input.safeParse({ query: 'a', limit: 21 }).success).toBe(false);
    expect(sessionSearch.effect({})).toBe(0);
  });
});
