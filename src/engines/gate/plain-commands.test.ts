import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainCommands } from './plain-commands.ts';

describe('plainCommands', () => {
  it.each([
    ['git status', [['git', 'status']]],
    ['  git\tstatus  ', [['git', 'status']]],
    [`echo 'a b' "c;d" e'f'"g"`, [['echo', 'a b', 'c;d', 'efg']]],
    ['a && b || c; d | e', [['a'], ['b'], ['c'], ['d'], ['e']]],
    ['make CC=gcc', [['make', 'CC=gcc']]],
    [`'git' status`, [['git', 'status']]],
    [`echo ''`, [['echo', '']]],
  ])('reads %s', (text, commands) => {
    expect(plainCommands(text)).toEqual(commands);
  });

  it.each([
    '',
    ' ',
    '&&',
    'a &&',
    'a ;; b',
    'a; ',
    'a & b',
    'a &',
    'a |& b',
    'a > b',
    'a 2>&1',
    'a < b',
    'a <<< b',
    'A=1 b',
    'A=1',
    `'A'=1 b`,
    'a $B',
    'a "$B"',
    'a `b`',
    'a "`b`"',
    'a $(b)',
    '(a)',
    '{ a; }',
    'a {b,c}',
    'a *',
    'a b?',
    'a [b]',
    'a ~/b',
    'a # b',
    'a\nb',
    "a 'b\nc'",
    'a\\ b',
    'a "b\\"c"',
    '! a',
    'a "b!c"',
    'if a; then b; fi',
    'time a',
    "a 'b",
    'a "b',
    "$'a'",
    'a\u202eb',
    'a\rb',
    'аb',
    `a ${'x'.repeat(5_000)}`,
  ])('does not read %j', (text) => {
    expect(plainCommands(text)).toBeUndefined();
  });

  it('never takes a line with a character that a shell acts on, outside of quotes', () => {
    const acting = fc.constantFrom(...'$`\\<>(){}[]*?~#!&\n\r^'.split(''));
    fc.assert(
      fc.property(fc.string(), acting, fc.string(), (before, character, after) => {
        const bare = (text: string) => text.replace(/['"&|;]/g, '');
        expect(plainCommands(`x ${bare(before)}${character}${bare(after)}`)).toBeUndefined();
      }),
    );
  });
});
