import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeCommand } from './judge-command.ts';
import { ASKED, DENIED } from '#testkit/shell-commands';

const RANK = { allow: 0, ask: 1, deny: 2 } as const;
const rank = (command: string): number => RANK[judgeCommand(command).verdict];

const DANGEROUS: readonly (readonly string[])[] = [
  ['rm', '-rf', '/'],
  ['rm', '-r', '/opt/app'],
  ['git', 'push', '--force'],
  ['dd', 'if=x', 'of=/dev/sda'],
  ['kill', '-9', '-1'],
  ['curl', 'http://169.254.169.254/'],
  ['docker', 'run', '--privileged', 'alpine'],
  ['kubectl', 'delete', 'namespace', 'prod'],
  ['pkill', '-f', 'hermes'],
  ['chmod', '4755', 'x'],
  ['terraform', 'destroy'],
  ['redis-cli', 'FLUSHALL'],
];

/** One character written in one of the ways that a shell undoes. */
const spelled = (character: string): fc.Arbitrary<string> =>
  fc.constantFrom(
    character,
    `'${character}'`,
    `"${character}"`,
    `\\${character}`,
    `$'\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}'`,
    `$'\\${character.charCodeAt(0).toString(8).padStart(3, '0')}'`,
    `${character}""`,
    `''${character}`,
    `\\\n${character}`,
  );
const spelledWord = (word: string): fc.Arbitrary<string> =>
  fc.tuple(...[...word].map(spelled)).map((parts) => parts.join(''));
const dangerous = fc.constantFrom(...DANGEROUS);

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
/** Each takes a whole command line. */
const AROUND: readonly ((command: string) => string)[] = [
  (command) => `sh -c ${quoted(command)}`,
  (command) => `bash -lc ${quoted(command)}`,
  (command) => `eval ${quoted(command)}`,
  // With a space: `$((` would begin an arithmetic expression, in which nothing runs.
  (command) => `echo "$( ${command} )"`,
  (command) => `cat <(${command})`,
  (command) => `( ${command} )`,
  (command) => `{ ${command}; }`,
  (command) => `if true; then ${command}; fi`,
  (command) => `for i in 1 2; do ${command}; done`,
  (command) => `f() { ${command}; }; f`,
  (command) => `true && ${command}`,
  (command) => `ls | ${command}`,
  (command) => `echo ${quoted(command)} | sh`,
  (command) => `sh <<< ${quoted(command)}`,
  (command) => `trap ${quoted(command)} EXIT`,
  (command) => `ssh host ${quoted(command)}`,
];
/** Each stands in front of the words of one command. */
const BEFORE: readonly ((command: string) => string)[] = [
  (command) => `env A=b ${command}`,
  (command) => `sudo ${command}`,
  (command) => `nohup ${command}`,
  (command) => `timeout 5 ${command}`,
  (command) => `nice -n 3 ${command}`,
  (command) => `command ${command}`,
  (command) => `busybox ${command}`,
  (command) => `xargs ${command}`,
  (command) => `find . -exec ${command} \\;`,
];
const wrappers = (list: readonly ((command: string) => string)[]) =>
  fc.array(fc.constantFrom(...list), { maxLength: 2 });

describe('spelling and wrapping', () => {
  it('never lower a verdict by quoting', () => {
    fc.assert(
      fc.property(
        dangerous.chain((words) => fc.tuple(fc.constant(words), fc.tuple(...words.map(spelledWord)))),
        ([words, spelling]) => {
          expect(rank(spelling.join(' '))).toBeGreaterThanOrEqual(rank(words.join(' ')));
        },
      ),
      { numRuns: 400 },
    );
  });

  it('never lower a verdict by wrapping', () => {
    fc.assert(
      fc.property(dangerous, wrappers(BEFORE), wrappers(AROUND), (words, before, around) => {
        const plain = words.join(' ');
        const wrapped = [...before, ...around].reduce((inner, wrap) => wrap(inner), plain);
        expect(rank(wrapped)).toBeGreaterThanOrEqual(rank(plain));
      }),
      { numRuns: 400 },
    );
  });

  it('never lower a verdict by company', () => {
    const rows = [...Object.values(ASKED), ...Object.values(DENIED)]
      .flat()
      .filter((row) => !row.includes('\n') && rank(row) > 0);
    fc.assert(
      fc.property(
        fc.constantFrom(...rows),
        fc.constantFrom('ls; ', 'true && ', 'echo x | cat; '),
        (row, before) => {
          expect(rank(before + row)).toBeGreaterThanOrEqual(Math.min(rank(row), 1));
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('any text', () => {
  it('is judged without throwing', () => {
    const bits = fc.constantFrom(
      'rm',
      ' ',
      '-rf',
      '/',
      '$(',
      ')',
      '`',
      '"',
      "'",
      '{',
      '}',
      '|',
      '&',
      ';',
      '\n',
      '<<',
      'EOF',
      '$',
      '${',
      '((',
      '))',
      '[[',
      ']]',
      '\\',
      '*',
      '~',
      '#',
      '!',
      'if',
      'do',
      'x=',
      '>',
      '<(',
      "$'",
      '\u0000',
      '\ud800',
      '€',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary', maxLength: 200 }),
          fc.array(bits, { maxLength: 60 }).map((parts) => parts.join('')),
        ),
        (text) => {
          expect(['allow', 'ask', 'deny']).toContain(judgeCommand(text).verdict);
        },
      ),
      { numRuns: 1_500 },
    );
  });

  it('gives the same judgement twice', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 80 }), (text) => {
        expect(judgeCommand(text)).toEqual(judgeCommand(text));
      }),
      { numRuns: 200 },
    );
  });
});
