import { expect, it } from 'vitest';
import { readArguments, textOf } from './read-arguments.ts';

const argument = (name: string, more: object = {}) => ({ name, from: 'default' as const, ...more });

it('takes what was typed for what the argument is', () => {
  const declared = [
    argument('path', { type: 'string' }),
    argument('top', { type: 'number' }),
    argument('deep', { type: 'boolean' }),
    argument('hosts', { type: 'array' }),
    argument('free'),
    argument('plain'),
    argument('unit', { choices: [5, 'all'] }),
  ];
  const typed = { path: '5', top: '5', deep: 'true', hosts: '["a"]', free: '7', plain: 'a b', unit: '5' };
  expect(readArguments(declared, typed)).toEqual({
    args: { path: '5', top: 5, deep: true, hosts: ['a'], free: 7, plain: 'a b', unit: 5 },
    wrong: [],
    missing: [],
  });
});

it('leaves empty ones out, and tells what is missing or wrong', () => {
  const declared = [
    argument('who', { from: 'missing' }),
    argument('top', { type: 'number' }),
    argument('map', { type: 'object' }),
    argument('rest'),
  ];
  expect(readArguments(declared, { top: 'many', map: '[1]', rest: '' })).toEqual({
    args: {},
    wrong: ['top', 'map'],
    missing: ['who'],
  });
});

it('shows values as they are typed', () => {
  expect([textOf('a'), textOf(5), textOf(['a'])]).toEqual(['a', '5', '["a"]']);
});
