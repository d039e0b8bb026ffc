import { describe, expect, it } from 'vitest';
import { codeMarkdown, escapeMarkdown, fenceMarkdown, linkMarkdown } from './escape.ts';

describe('escapeMarkdown', () => {
  it.each([
    ['latency_p95_ms of v2.3.1 (0.5 %)', 'latency_p95_ms of v2.3.1 (0.5 %)'],
    ['_a_ b_c', '\\_a\\_ b_c'],
    ['[x](y)', '\\[x\\](y)'],
    ['two\nlines', 'two lines'],
    ['1. first', '1\\. first'],
    ['- item', '\\- item'],
    ['-1.5', '-1.5'],
    ['a < b & c', 'a &lt; b &amp; c'],
    ['back\\slash', 'back\\\\slash'],
  ])('%j becomes %j', (text, escaped) => expect(escapeMarkdown(text)).toBe(escaped));
});

describe('code in Markdown', () => {
  it('is fenced by more than it holds', () => {
    expect(codeMarkdown('a', false)).toBe('`a`');
    expect(codeMarkdown('a ``b`` c', false)).toBe('```a ``b`` c```');
    expect(codeMarkdown('`a', false)).toBe('`` `a ``');
    expect(fenceMarkdown('a\n````\n', 'diff')).toBe('`````diff\na\n````\n`````');
  });

  it('keeps pipes out of the columns of a table', () => {
    expect(codeMarkdown('{a="b"} |= "x"', true)).toBe('`{a="b"} \\|= "x"`');
    expect(codeMarkdown('a\\|b`', true)).toBe('<code>a&#92;&#124;b&#96;</code>');
  });
});

it('a link cannot leave its brackets', () => {
  expect(linkMarkdown('https://a.example/x)(y "z"')).toBe('https://a.example/x%29%28y%20"z"');
});
