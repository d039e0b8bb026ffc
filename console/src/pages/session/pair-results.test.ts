import type { ShownMessage } from '#spec/api';
import { expect, it } from 'vitest';
import { pairResults } from './pair-results.ts';

const message = (id: string, more: Partial<ShownMessage>): ShownMessage => ({
  id,
  seq: 1,
  turn: 1,
  at: 0,
  state: 'active',
  kind: 'plain',
  role: 'user',
  parts: [],
  tokens: 1,
  ...more,
});
const asks = (id: string, ...calls: string[]) =>
  message(id, {
    role: 'assistant',
    parts: calls.map((call) => ({ type: 'tool_call', id: call, name: 'read', text: '{}' })),
  });
const result = (id: string, call: string, state: ShownMessage['state'] = 'active') =>
  message(id, { role: 'tool', call, state });

it('puts each result with its call', () => {
  const { shown, results } = pairResults([
    message('u', {}),
    asks('a', 'c1', 'c2'),
    result('r1', 'c1'),
    result('r2', 'c2'),
  ]);
  expect(shown.map(({ id }) => id)).toEqual(['u', 'a']);
  expect([...results].map(([call, { id }]) => [call, id])).toEqual([
    ['c1', 'r1'],
    ['c2', 'r2'],
  ]);
});

it('shows a result without its call by itself', () => {
  expect(pairResults([result('r', 'gone')]).shown.map(({ id }) => id)).toEqual(['r']);
});

it('takes the result that holds where there are two', () => {
  const { shown, results } = pairResults([
    asks('a', 'c'),
    result('long', 'c', 'archived'),
    result('short', 'c'),
  ]);
  expect(results.get('c')?.id).toBe('short');
  expect(shown.map(({ id }) => id)).toEqual(['a']);
});
