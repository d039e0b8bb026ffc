import { createTwoFilesPatch } from 'diff';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyHunks } from './apply-hunks.ts';
import { PatchSyntaxError } from './file-patch.ts';
import { parsePatch } from './parse-patch.ts';

function apply(text: string, patch: string): string {
  const [file] = parsePatch(patch);
  if (!file || file.kind === 'delete') throw new Error('no hunks');
  const applied = applyHunks(text, file.hunks);
  if (!applied.ok) throw new Error(applied.problem);
  return applied.text;
}

const line = fc.constantFrom(
  '',
  ' ',
  'a',
  'b',
  '  a',
  '-- x',
  '++ y',
  '- z',
  '+',
  '@@',
  '\\ n',
  '--- a',
  '+++ b',
  '连接 🙂',
  'diff --git',
);
const text = fc
  .tuple(fc.array(line, { maxLength: 30 }), fc.boolean())
  .map(([lines, newline]) => lines.join('\n') + (newline && lines.length > 0 ? '\n' : ''));

describe('applying a unified diff', () => {
  it('of a → b to a gives b', () => {
    fc.assert(
      fc.property(text, text, fc.integer({ min: 0, max: 4 }), (a, b, context) => {
        fc.pre(a !== b);
        const patch = createTwoFilesPatch('a/f', 'b/f', a, b, '', '', { context });
        expect(apply(a, patch)).toBe(b);
      }),
      { numRuns: 1_000 },
    );
  });

  it('also when the text has moved', () => {
    const lines = Array.from({ length: 20 }, (_, at) => `line ${at}`);
    const [a, b] = [`${lines.join('\n')}\n`, `${lines.with(10, 'changed').with(17, 'too').join('\n')}\n`];
    const patch = createTwoFilesPatch('f', 'f', a, b);
    const head = 'new\n'.repeat(30);
    expect(apply(head + a, patch)).toBe(head + b);
    expect(apply(a.slice('line 0\nline 1\n'.length), patch)).toBe(b.slice('line 0\nline 1\n'.length));
  });

  it.each([
    ['wrong counts', 'a\nb\nc\n', '--- f\n+++ f\n@@ -1,9 +1,7 @@\n a\n-b\n+B\n c\n'],
    ['no counts', 'a\nb\nc\n', '--- f\n+++ f\n@@\n a\n-b\n+B\n c\n'],
    [
      'an empty context line without its space',
      'a\n\nb\nc\n',
      '--- f\n+++ f\n@@ -1,4 +1,4 @@\n a\n\n-b\n+B\n c\n',
    ],
    ['other indentation', '  a\n  b\n  c\n', '--- f\n+++ f\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n'],
    ['spaces at line ends', 'a \nb\t\nc\n', '--- f\n+++ f\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n'],
    [
      'outer context that changed',
      'X\na\nb\nc\nY\n',
      '--- f\n+++ f\n@@ -1,5 +1,5 @@\n old\n a\n-b\n+B\n c\n older\n',
    ],
    ['quotes', 'say “a”\nb\n', '--- f\n+++ f\n@@ -1,2 +1,2 @@\n say "a"\n-b\n+B\n'],
  ])('forgives %s', (_, before, patch) => {
    const after = before.replace(/b\t?/, 'B');
    expect(apply(before, patch)).toBe(after);
  });

  it('goes to the nearest of several places', () => {
    const a = 'x\n1\n2\n3\n4\n5\nx\n';
    expect(apply(a, '--- f\n+++ f\n@@ -6 +6 @@\n-x\n+y\n')).toBe('x\n1\n2\n3\n4\n5\ny\n');
  });

  it('says what does not fit', () => {
    const patch = '--- f\n+++ f\n@@ -1,2 +1,2 @@\n-gone line\n+x\n here\n@@ -9 +9 @@\n-z\n+y\n';
    expect(() => apply('some line\nhere\n', patch)).toThrow(/hunk 1 of 2 does not apply/);
  });
});

describe('the *** Begin Patch form', () => {
  const wrap = (body: string) => `*** Begin Patch\n*** Update File: f\n${body}\n*** End Patch`;

  it('changes, with anchors to tell places apart', () => {
    const a = 'def a():\n  x = 1\n\ndef b():\n  x = 1\n';
    expect(apply(a, wrap('@@ def b():\n-  x = 1\n+  x = 2'))).toBe(
      'def a():\n  x = 1\n\ndef b():\n  x = 2\n',
    );
    expect(() => apply(a, wrap('@@\n-  x = 1\n+  x = 2'))).toThrow(/lines 2, 5/);
    expect(() => apply(a, wrap('@@ def c():\n-  x = 1\n+  x = 2'))).toThrow(/no line 'def c\(\):'/);
  });

  it('reaches the end of the file, and adds there', () => {
    expect(apply('x\ny\nx\n', wrap('-x\n+z\n*** End of File'))).toBe('x\ny\nz\n');
    expect(apply('x\n', wrap('+y'))).toBe('x\ny\n');
  });

  it('reads files to add, delete and move', () => {
    const patch = [
      '*** Begin Patch',
      '*** Add File: new.txt',
      '+one',
      '+',
      '*** Delete File: old.txt',
      '*** Update File: from.txt',
      '*** Move to: to.txt',
      '@@',
      '-a',
      '+b',
      '*** End Patch',
    ].join('\n');
    expect(parsePatch(patch).map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      'add new.txt',
      'delete old.txt',
      'update from.txt',
    ]);
    expect(parsePatch(patch)[2]).toMatchObject({ moveTo: 'to.txt' });
  });

  it.each([
    '',
    'hello',
    '*** Begin Patch\n*** End Patch',
    '@@ -1 +1 @@\n-a\n+b',
    '*** Begin Patch\nwhat\n*** End Patch',
    wrap(''),
  ])('says that %j is no patch', (patch) => {
    expect(() => parsePatch(patch)).toThrow(PatchSyntaxError);
  });
});
