import { expect, it } from 'vitest';
import { markWords } from './mark-words.ts';
import type { DiffLine } from './parse-diff.ts';

const line = (kind: DiffLine['kind'], text: string): DiffLine => ({ kind, text });

it('points at the words that changed, in both lines', () => {
  const lines = [line('same', 'a'), line('removed', 'replicas: 3 # few'), line('added', 'replicas: 5 # few')];
  expect(markWords(lines)).toEqual(
    new Map([
      [
        1,
        [
          { text: 'replicas: ', changed: false },
          { text: '3', changed: true },
          { text: ' # few', changed: false },
        ],
      ],
      [
        2,
        [
          { text: 'replicas: ', changed: false },
          { text: '5', changed: true },
          { text: ' # few', changed: false },
        ],
      ],
    ]),
  );
});

it('pairs as many removed lines as added ones, in their order', () => {
  const lines = [
    line('removed', 'one x'),
    line('removed', 'two x'),
    line('added', 'one y'),
    line('added', 'two y'),
  ];
  expect([...markWords(lines).keys()]).toEqual([0, 2, 1, 3]);
});

it.each([
  ['lines that are only added', [line('added', 'a b'), line('added', 'c d')]],
  ['another number of lines', [line('removed', 'a b'), line('added', 'a c'), line('added', 'd')]],
  ['lines with nothing in common', [line('removed', 'alpha'), line('added', 'beta')]],
  ['lines that are very long', [line('removed', 'a '.repeat(2_000)), line('added', 'b '.repeat(2_000))]],
])('leaves %s alone', (_, lines) => {
  expect(markWords(lines).size).toBe(0);
});

it('nothing of a line is lost, and hostile lines are read in time', () => {
  const [before, after] = ['a b '.repeat(500), 'b a '.repeat(500)];
  const lines = Array.from({ length: 100 }, () => [line('removed', before), line('added', after)]).flat();
  const began = performance.now();
  const marked = markWords(lines);
  expect(performance.now() - began).toBeLessThan(5_000);
  for (const [at, parts] of marked) expect(parts.map(({ text }) => text).join('')).toBe(lines[at]?.text);
});
