import { describe, expect, it } from 'vitest';
import { nextVersion, withVersion } from './bump-version.ts';

describe('nextVersion', () => {
  it.each([
    ['1.0.0', '1.0.1'],
    ['1.9', '1.10'],
    ['3', '4'],
    ['v2.0.9', 'v2.0.10'],
    ['1.0.0-beta.1', '1.0.0-beta.2'],
    ['', '1.0.1'],
    ['draft', 'draft.1'],
  ])('%j becomes %j', (version, next) => {
    expect(nextVersion(version)).toBe(next);
  });
});

describe('withVersion', () => {
  it.each([
    [
      'replaces',
      '---\nname: a\nversion: 1.0\n---\nversion: text\n',
      '---\nname: a\nversion: "2"\n---\nversion: text\n',
    ],
    ['adds', '---\nname: a\n---\ntext', '---\nname: a\nversion: "2"\n---\ntext'],
    ['makes frontmatter', 'text', '---\nversion: "2"\n---\n\ntext'],
    [
      'keeps Windows line ends',
      '---\r\nname: a\r\nversion: 1\r\n---\r\nx',
      '---\r\nname: a\r\nversion: "2"\r\n---\r\nx',
    ],
  ])('%s it in a document', (_, text, expected) => {
    expect(withVersion(text, 'a/SKILL.md', '2')).toBe(expected);
  });

  it('finds its own line in a workflow, not one of a step', () => {
    const text =
      'skill:\n  # note\n  name: a\n  version: "1.0"\n  execution:\n    steps:\n      - version: 9\n';
    expect(withVersion(text, 'a.yaml', '1.1')).toBe(text.replace('"1.0"', '"1.1"'));
    expect(withVersion('skill:\n  name: a\n', 'a.yaml', '2')).toBe('skill:\n  version: "2"\n  name: a\n');
  });
});
