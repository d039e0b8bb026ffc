import { describe, expect, it } from 'vitest';
import { parseSource } from './parse-source.ts';

const places = { cwd: '/srv', home: '/home/me' };

describe('parseSource', () => {
  it.each([
    ['disk-full', { name: 'disk-full' }],
    ['./a', { source: { kind: 'folder', at: '/srv/a' } }],
    ['a/b/', { source: { kind: 'folder', at: '/srv/a/b' } }],
    ['~/a', { source: { kind: 'folder', at: '/home/me/a' } }],
    ['/srv/a//b/c', { source: { kind: 'folder', at: '/srv/a', folder: 'b/c' } }],
    ['x.tar.gz', { source: { kind: 'archive', at: '/srv/x.tar.gz' } }],
    ['../x.zip', { source: { kind: 'archive', at: '/x.zip' } }],
    ['https://h.example/x.tgz', { source: { kind: 'archive', at: 'https://h.example/x.tgz' } }],
    [
      'https://h.example/x.zip//a',
      { source: { kind: 'archive', at: 'https://h.example/x.zip', folder: 'a' } },
    ],
    ['https://github.com/o/r', { source: { kind: 'git', at: 'https://github.com/o/r' } }],
    [
      'git+https://github.com/o/r.git//s/a#v1',
      { source: { kind: 'git', at: 'https://github.com/o/r.git', ref: 'v1', folder: 's/a' } },
    ],
    [
      'https://github.com/o/r/tree/main/s/a',
      { source: { kind: 'git', at: 'https://github.com/o/r', ref: 'main', folder: 's/a' } },
    ],
    ['git@github.com:o/r.git#main', { source: { kind: 'git', at: 'git@github.com:o/r.git', ref: 'main' } }],
    ['ssh://git@host/o/r', { source: { kind: 'git', at: 'ssh://git@host/o/r' } }],
    ['file:///srv/r.git//a', { source: { kind: 'git', at: 'file:///srv/r.git', folder: 'a' } }],
  ])('reads %s', (text, expected) => {
    expect(parseSource(text, places)).toEqual(expected);
  });

  it.each([
    'http://h.example/o/r',
    'ext::sh -c x',
    'git://h/x',
    'https://me:pw@h.example/o/r',
    'https://github.com/o/r//../x',
    'Not A Name',
    '',
  ])('refuses %j', (text) => {
    expect(() => parseSource(text, places)).toThrowError(
      expect.objectContaining({ record: expect.objectContaining({ code: 'input.invalid' }) }),
    );
  });
});
