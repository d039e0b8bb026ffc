import { expect, it } from 'vitest';
import { keyName, keySequence } from './key-sequence.ts';

const KNOWN = new Set(['g i', 'g a', 'j', '?', 'mod+k']);
const none = { ctrlKey: false, metaKey: false, altKey: false };

it('knows single keys and pairs', () => {
  const press = keySequence(() => 0);
  expect(['j', 'g', 'i', 'i', 'x', 'g', 'a'].map((key) => press(key, KNOWN))).toEqual([
    'j',
    undefined,
    'g i',
    undefined,
    undefined,
    undefined,
    'g a',
  ]);
});

it('forgets a first key after a while', () => {
  let at = 0;
  const press = keySequence(() => at);
  press('g', KNOWN);
  at = 5_000;
  expect(press('i', KNOWN)).toBeUndefined();
});

it('names keys', () => {
  expect(keyName({ key: 'K', ...none, metaKey: true })).toBe('mod+k');
  expect(keyName({ key: 'Enter', ...none })).toBe('Enter');
  expect(keyName({ key: '?', ...none })).toBe('?');
});
