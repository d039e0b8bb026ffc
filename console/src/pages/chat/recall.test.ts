import { expect, it } from 'vitest';
import { recall } from './recall.ts';

const said = ['first', 'second'];
const at = (value: string, place?: number, caret = value.length) => ({
  said,
  value,
  place,
  selectionStart: caret,
  selectionEnd: caret,
});

it('goes back and forth through what was said', () => {
  expect(recall({ ...at(''), key: 'ArrowUp' })).toEqual({ place: 1, text: 'second' });
  expect(recall({ ...at('second', 1), key: 'ArrowUp' })).toEqual({ place: 0, text: 'first' });
  expect(recall({ ...at('first', 0), key: 'ArrowUp' })).toBeUndefined();
  expect(recall({ ...at('first', 0), key: 'ArrowDown' })).toEqual({ place: 1, text: 'second' });
  expect(recall({ ...at('second', 1), key: 'ArrowDown' })).toEqual({ place: undefined, text: '' });
});

it('leaves the arrows alone where somebody writes, or moves through lines', () => {
  expect(recall({ ...at('something new'), key: 'ArrowUp' })).toBeUndefined();
  expect(recall({ ...at('a\nb', 1), key: 'ArrowUp' })).toBeUndefined();
  expect(recall({ ...at('a\nb', 1, 0), key: 'ArrowDown' })).toBeUndefined();
  expect(recall({ ...at(''), key: 'ArrowDown' })).toBeUndefined();
});
