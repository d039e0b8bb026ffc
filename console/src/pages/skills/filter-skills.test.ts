import type { SkillRow } from '#spec/api';
import { expect, it } from 'vitest';
import { filterSkills, formOf, orderOf, orderSkills, stateOf } from './filter-skills.ts';

const row = (name: string, more: Partial<SkillRow> = {}): SkillRow => ({
  name,
  form: 'document',
  description: '',
  category: 'ops',
  tags: [],
  root: 'home',
  trust: 'user',
  version: '1',
  hidden: [],
  pinned: false,
  stale: false,
  uses: 0,
  successes: 0,
  recent: [],
  ...more,
});
const rows = [
  row('b', { trust: 'own' }),
  row('a', { hidden: [{ kind: 'disabled' }] }),
  row('c', { form: 'workflow', demoted: { why: 'it did not help', at: 1 } }),
];
const names = (filter: Partial<Parameters<typeof filterSkills>[1]>) =>
  filterSkills(rows, { form: 'all', state: 'all', trust: '', ...filter })
    .map(({ name }) => name)
    .join(' ');

it('keeps the order in which the library found them', () => {
  expect(names({})).toBe('b a c');
});

it('counts what is demoted as not offered', () => {
  expect(names({ state: 'offered' })).toBe('b');
  expect(names({ state: 'hidden' })).toBe('a c');
});

it('takes form and origin together', () => {
  expect(names({ form: 'document', trust: 'own' })).toBe('b');
  expect(names({ form: 'workflow', trust: 'own' })).toBe('');
});

it('takes no filter from an address that it does not know', () => {
  expect([formOf('x'), formOf('workflow'), stateOf(null), stateOf('hidden')]).toEqual([
    'all',
    'workflow',
    'all',
    'hidden',
  ]);
});

it('puts what is used most or last first, and leaves the rest as it came', () => {
  const used = [row('a'), row('b', { uses: 2, lastUsed: 9 }), row('c', { uses: 5, lastUsed: 3 }), row('d')];
  const inOrder = (order: string | null) =>
    orderSkills(used, orderOf(order))
      .map(({ name }) => name)
      .join(' ');
  expect([inOrder(null), inOrder('uses'), inOrder('last')]).toEqual(['a b c d', 'c b a d', 'b c a d']);
});
