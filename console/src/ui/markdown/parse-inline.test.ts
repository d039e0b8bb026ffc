import { describe, expect, it } from 'vitest';
import { type Inline, parseInline } from './parse-inline.ts';

const text = (words: string): Inline => ({ kind: 'text', text: words });

describe('marks', () => {
  it.each([
    ['a `b` c', [text('a '), { kind: 'code', text: 'b' }, text(' c')]],
    ['``a ` b``', [{ kind: 'code', text: 'a ` b' }]],
    [
      '**a *b* c**',
      [{ kind: 'strong', children: [text('a '), { kind: 'emphasis', children: [text('b')] }, text(' c')] }],
    ],
    ['~~a~~', [{ kind: 'struck', children: [text('a')] }]],
    ['snake_case_name', [text('snake_case_name')]],
    ['2 * 3 * 4', [text('2 * 3 * 4')]],
    ['\\*a\\*', [text('*a*')]],
    ['**half', [text('**half')]],
    ['`half', [text('`half')]],
    ['中文**粗体**中文', [text('中文'), { kind: 'strong', children: [text('粗体')] }, text('中文')]],
  ] as const)('%s', (source, inlines) => expect(parseInline(source)).toEqual(inlines));

  it('takes an address out of a sentence', () => {
    expect(parseInline('see https://a.example/b?c=1. Then')).toEqual([
      text('see '),
      { kind: 'link', to: 'https://a.example/b?c=1', children: [text('https://a.example/b?c=1')] },
      text('. Then'),
    ]);
  });

  it('keeps the words and the address of a link', () => {
    expect(parseInline('[a [b] c](https://x.example/(1) "title")')).toEqual([
      { kind: 'link', to: 'https://x.example/(1)', children: [text('a [b] c')] },
    ]);
  });
});

describe('what is made to harm', () => {
  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '&lt;b&gt;',
    '<a href="javascript:alert(1)">x</a>',
  ])('%s is text', (source) => expect(parseInline(source)).toEqual([text(source)]));

  it.each([
    ['a mark that never ends', '*'.repeat(20_000)],
    ['brackets', '['.repeat(20_000)],
    ['ticks', '`a '.repeat(7_000)],
    ['links in links', '[a]('.repeat(5_000)],
    ['underscores', '_a'.repeat(10_000)],
    ['marks that begin and never end', '_a '.repeat(6_600)],
    ['stars that begin and never end', '*a '.repeat(6_600)],
    ['links in links that end', `${'[a](b'.repeat(2_000)}${')'.repeat(2_000)}`],
  ])('%s is read in time, and nothing of it is lost', (_, source) => {
    const began = performance.now();
    const found = parseInline(source);
    expect(performance.now() - began).toBeLessThan(2_000);
    expect(wordsOf(found).length).toBeGreaterThan(0);
  });
});

const wordsOf = (inlines: readonly Inline[]): string =>
  inlines
    .map((each) => ('children' in each ? wordsOf(each.children) : 'text' in each ? each.text : '\n'))
    .join('');
