import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commandLine } from './command-line.ts';

/** What a shell makes of a line: the words behind the first one. */
const readBy = (shell: string, line: string): string[] =>
  execFileSync(shell, ['-c', line], { encoding: 'utf8', env: { PATH: '/usr/bin:/bin', HOME: '/nowhere' } })
    .split('\0')
    .slice(0, -1);
const printed = (words: readonly string[]) => commandLine(['printf', '%s\\0', ...words]);

describe('commandLine', () => {
  it('leaves plain words as people write them', () => {
    expect(commandLine(['git', 'log', '--format=%h', '-5', 'HEAD~1', 'a b', "it's", ''])).toBe(
      `git log --format=%h -5 'HEAD~1' 'a b' 'it'\\''s' ''`,
    );
  });

  const traps = [
    '$(id)',
    '`id`',
    '$HOME',
    '~',
    '~/x',
    'a;b',
    'a&&b',
    '*',
    '{a,b}',
    '!x',
    "'",
    '"',
    '\\',
    'a\nb',
  ];
  it.each(['bash', 'sh'])('is read by %s as the same words', (shell) => {
    const more = [
      '',
      ' ',
      '#x',
      'a#b',
      '<x',
      '>x',
      'A=b',
      '=ls',
      '(x)',
      '[a]',
      '中文',
      '\t',
      '\r',
      "''",
      '-',
      '%s',
    ];
    expect(readBy(shell, printed([...traps, ...more]))).toEqual([...traps, ...more]);
  });

  it('is read as the same words, whatever they are', () => {
    const word = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => !text.includes('\0'));
    const tricky = fc.string({ unit: fc.constantFrom(...`'"\\$\`!*?~ \n#=;&|<>(){}[]ab-`), maxLength: 12 });
    const words = fc.array(fc.oneof(word, tricky), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(words, (given) => {
        expect(readBy('bash', printed(given))).toEqual(given);
      }),
      { numRuns: 60 },
    );
  });
});
