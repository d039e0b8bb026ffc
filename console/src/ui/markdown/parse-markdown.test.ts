import { describe, expect, it } from 'vitest';
import { type Block, parseMarkdown } from './parse-markdown.ts';

const words = (inline: string): Block => ({ kind: 'paragraph', inline });

describe('blocks', () => {
  it('are read one after the other', () => {
    const text = '# Title\n\nSome words\ngo on.\n\n```sh\nls -l\n# no heading\n```\n---\n> said\n> so';
    expect(parseMarkdown(text)).toEqual([
      { kind: 'heading', level: 1, inline: 'Title' },
      words('Some words\ngo on.'),
      { kind: 'code', language: 'sh', text: 'ls -l\n# no heading', isOpen: false },
      { kind: 'rule' },
      { kind: 'quote', children: [words('said\nso')] },
    ]);
  });

  it('a list has items, lists in them, numbers and tasks', () => {
    expect(parseMarkdown('- a\n  - b\n  - c\n- [x] d\n\n3. e\n4. f')).toEqual([
      {
        kind: 'list',
        start: undefined,
        items: [
          {
            children: [
              words('a'),
              {
                kind: 'list',
                start: undefined,
                items: [{ children: [words('b')] }, { children: [words('c')] }],
              },
            ],
          },
          { done: true, children: [words('d')] },
        ],
      },
      { kind: 'list', start: 3, items: [{ children: [words('e')] }, { children: [words('f')] }] },
    ]);
  });

  it('code belongs to the item that it is set into', () => {
    const [list] = parseMarkdown('1. run\n   ```\n   make\n     all\n   ```\n2. done');
    expect(list).toMatchObject({
      items: [
        { children: [words('run'), { kind: 'code', text: 'make\n  all' }] },
        { children: [words('done')] },
      ],
    });
  });

  it('a table has as many cells in every row as in its head', () => {
    expect(parseMarkdown('| a | b |\n|:--|--:|\n| 1 | `x|y` |\n| 2 |\nafter')).toEqual([
      {
        kind: 'table',
        align: ['left', 'right'],
        head: ['a', 'b'],
        rows: [
          ['1', '`x|y`'],
          ['2', ''],
        ],
      },
      words('after'),
    ]);
  });

  it('words before a list or a table end where it begins', () => {
    expect(parseMarkdown('See:\n- a').map(({ kind }) => kind)).toEqual(['paragraph', 'list']);
    expect(parseMarkdown('See:\n|a|b|\n|-|-|').map(({ kind }) => kind)).toEqual(['paragraph', 'table']);
  });

  it('lists that are set in with tabs are lists in lists', () => {
    expect(parseMarkdown('- a\n\t- b\n\t\t1. c\n- d')).toEqual(
      parseMarkdown('- a\n    - b\n        1. c\n- d'),
    );
    expect(JSON.stringify(parseMarkdown('- a\n\t- b'))).toContain('"inline":"b"');
  });

  it('code in an item keeps its tabs', () => {
    expect(JSON.stringify(parseMarkdown('- a\n  ```go\n  \treturn\n  ```'))).toContain('"text":"\\treturn"');
  });

  it('code that is still being written is code', () => {
    expect(parseMarkdown('```js\nlet a')).toEqual([
      { kind: 'code', language: 'js', text: 'let a', isOpen: true },
    ]);
  });
});

describe('what is made to harm', () => {
  it.each(['<script>alert(1)</script>', '<iframe src="x"></iframe>', '<!-- a -->', '<div onclick="x()">'])(
    '%s is a paragraph',
    (html) => expect(parseMarkdown(html)).toEqual([words(html)]),
  );

  it.each([
    ['quotes in quotes', '>'.repeat(10_000)],
    ['lists in lists', Array.from({ length: 400 }, (_, depth) => `${' '.repeat(depth * 2)}- a`).join('\n')],
    ['items', '- a\n'.repeat(20_000)],
    ['a wide table', `|${'a|'.repeat(5_000)}\n|${'-|'.repeat(5_000)}\n`],
    ['rules', `${'* '.repeat(20_000)}x`],
    ['spaces', `a${' '.repeat(50_000)}b`],
    ['hashes', `# ${'#'.repeat(50_000)}x`],
  ])('%s are read in time', (_, text) => {
    const began = performance.now();
    expect(parseMarkdown(text).length).toBeGreaterThan(0);
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});
