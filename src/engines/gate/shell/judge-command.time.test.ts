import { describe, expect, it } from 'vitest';
import { judgeCommand } from './judge-command.ts';
import { LONGEST_COMMAND } from './parse-script.ts';

/** Texts that make careless readers slow, by the piece that is repeated. */
const SHAPES: Readonly<Record<string, string>> = {
  words: 'echo a ',
  commands: 'ls;',
  pipes: 'cat|',
  braces: '{',
  'comma braces': 'a{b,',
  substitutions: '$(',
  'process substitutions': '<(',
  arithmetic: '$((a[',
  'old arithmetic': '$[a',
  quotes: '"',
  backticks: '`',
  'here-documents': '<<a\n',
  functions: 'f(){ ',
  tests: '[[ ',
  conditions: 'if a; then ',
  cases: 'case x in ',
  'nested quotes': '"$(',
  'nested wrappers': 'env ',
  assignments: 'a=b ',
  globs: '*?[a]',
  dashes: '-a ',
  'sed scripts': "sed 's/a/b/;",
  'awk programs': 'awk \'{print "',
  sql: "psql -c 'select ",
  'perl programs': "perl -e 's/a/",
};

function milliseconds(text: string, turns = 2): number {
  let best = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < turns; turn++) {
    const started = performance.now();
    judgeCommand(text);
    best = Math.min(best, performance.now() - started);
  }
  return best;
}

const filled = (piece: string, length: number): string =>
  piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

describe('time', () => {
  it.each(Object.entries(SHAPES))('grows with the length: %s', (_, piece) => {
    // Twice the text may take twice the time; the rest is room for an uneven machine.
    const half = milliseconds(filled(piece, 524_288));
    const whole = milliseconds(filled(piece, 1_048_576));
    expect(whole).toBeLessThan(Math.max(half, 5) * 4);
  });

  it.each(Object.entries(SHAPES))('grows with the length below the limit: %s', (_, piece) => {
    const half = milliseconds(filled(piece, Math.floor(LONGEST_COMMAND / 2)));
    const whole = milliseconds(filled(piece, LONGEST_COMMAND));
    expect(whole).toBeLessThan(Math.max(half, 25) * 6);
  });

  it.each(Object.entries(SHAPES))('one long word of it in a command: %s', (_, piece) => {
    const inner = filled(piece, 60_000).replaceAll("'", '');
    const half = milliseconds(`echo '${inner.slice(0, 30_000)}'`);
    expect(milliseconds(`echo '${inner}'`)).toBeLessThan(Math.max(half, 25) * 6);
  });

  const PIECES = [
    'a',
    ' ',
    '/',
    '|',
    '"',
    '(',
    '[',
    String.raw`\\`,
    's/',
    '\n',
    '--',
    '1,',
    'x=',
    '#{',
    '${',
    'import ',
    '/*',
    '<',
  ];

  it.each(['awk', 'sed', 'perl -e', 'ruby -e', 'node -e', 'python3 -c', 'psql -c', 'php -r'])(
    'of patterns over code stays in proportion: %s',
    (program) => {
      for (const piece of PIECES) {
        const short = milliseconds(`${program} '${filled(piece, 4_000)}'`, 1);
        const code = `${program} '${filled(piece, 16_000)}'`;
        // Four times the code; what grows with the square takes sixteen times as long.
        const slow =
          milliseconds(code, 1) > Math.max(short, 5) * 9 && milliseconds(code, 3) > Math.max(short, 5) * 9;
        expect([piece, slow]).toEqual([piece, false]);
      }
    },
  );
});
