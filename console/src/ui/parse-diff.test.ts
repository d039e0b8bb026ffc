import { expect, it } from 'vitest';
import { parseDiff } from './parse-diff.ts';

it('tells added from removed lines, also those that look like a head', () => {
  const lines = parseDiff('--- a/x\n+++ b/x\n@@ -1,3 +1,2 @@\n {\n--- old\n-two\n++++ new\n\\ No newline\n');
  expect(lines).toEqual([
    { kind: 'head', text: '--- a/x' },
    { kind: 'head', text: '+++ b/x' },
    { kind: 'hunk', text: '@@ -1,3 +1,2 @@' },
    { kind: 'same', text: '{' },
    { kind: 'removed', text: '-- old' },
    { kind: 'removed', text: 'two' },
    { kind: 'added', text: '+++ new' },
    { kind: 'head', text: '\\ No newline' },
  ]);
});

it('reads a hunk of one line', () => {
  expect(parseDiff('@@ -1 +1 @@\n-a\n+b').map(({ kind }) => kind)).toEqual(['hunk', 'removed', 'added']);
});
