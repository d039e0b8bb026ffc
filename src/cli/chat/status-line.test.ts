import { describe, expect, it } from 'vitest';
import { texts } from '../text/index.ts';
import { fitParts, type Status, statusParts } from './status-line.ts';

const status: Status = {
  model: 'openai/gpt-5',
  context: { used: 20_000, window: 100_000 },
  title: 'checkout',
  cost: 0.042,
  activity: { kind: 'idle' },
  startedAt: 0,
};
const words = (over: Partial<Status> = {}, now = 0) =>
  statusParts({ ...status, ...over }, now, texts.en).map(({ text }) => text);

describe('statusParts', () => {
  it('shows model, context, title and cost', () => {
    expect(words()).toEqual(['openai/gpt-5', '▰▰▱▱▱▱▱▱ 20%', 'checkout', '$0.0420']);
  });

  it.each([
    [{ kind: 'thinking' }, 'thinking 3 s'],
    [{ kind: 'tools', count: 2 }, 'running 2 tools 3 s'],
    [{ kind: 'retrying', who: 'openai/gpt-5', at: 5_000 }, 'retrying openai/gpt-5 in 2 s 3 s'],
    [{ kind: 'compacting' }, 'compacting 3 s'],
  ] as const)('says what goes on: %o', (activity, said) => {
    expect(words({ activity }, 3_000)[0]).toMatch(new RegExp(`^. ${said}$`));
  });

  it('colours the context from 70 %', () => {
    const tone = (used: number) =>
      statusParts({ ...status, context: { used, window: 100 } }, 0, texts.en).find(({ text }) =>
        text.includes('%'),
      )?.tone;
    expect([69, 70, 90, 150].map(tone)).toEqual(['plain', 'warn', 'bad', 'bad']);
  });

  it('shows the budget from 80 %', () => {
    expect(words({ budget: { used: 39, limit: 50 } }).join()).not.toContain('calls');
    expect(words({ budget: { used: 40, limit: 50 } })).toContain('40 of 50 calls');
  });

  it('shows nothing of a window that is not known, and no cost of nothing', () => {
    expect(words({ context: { used: 0, window: 0 }, cost: 0 })).toEqual(['openai/gpt-5', 'checkout']);
  });
});

describe('fitParts', () => {
  it('leaves the title out first and what goes on last', () => {
    const parts = statusParts({ ...status, activity: { kind: 'thinking' } }, 0, texts.en);
    const left = (columns: number) => fitParts(parts, columns, (text) => text.length).map(({ text }) => text);
    expect(left(80)).toHaveLength(5);
    expect(left(52).join()).not.toContain('checkout');
    expect(left(12)).toEqual([parts[0]?.text]);
  });
});
