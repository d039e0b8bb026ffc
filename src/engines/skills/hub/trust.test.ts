import { describe, expect, it } from 'vitest';
import { decide, isTrusted, publisherOf, trustOf } from './trust.ts';

describe('trust', () => {
  it.each([
    ['https://github.com/Owner/repo.git', 'github.com/Owner/repo'],
    ['https://GitHub.com/o/r/', 'github.com/o/r'],
    ['git@github.com:o/r.git', 'github.com/o/r'],
    ['ssh://git@host:22/o/r', 'host/o/r'],
    ['file:///srv/r.git', '/srv/r.git'],
    ['/srv/skills', '/srv/skills'],
  ])('finds who %s is from', (at, publisher) => {
    expect(publisherOf({ at })).toBe(publisher);
  });

  it('counts whole segments, and never a bare host', () => {
    expect(isTrusted('github.com/owner/repo', ['github.com/owner'])).toBe(true);
    expect(isTrusted('github.com/owner/repo', ['https://github.com/Owner/'])).toBe(true);
    expect(isTrusted('github.com/owner-evil/repo', ['github.com/owner'])).toBe(false);
    expect(isTrusted('github.com/owner/repo', ['github.com'])).toBe(false);
    expect(isTrusted('evil.example/github.com/owner', ['github.com/owner'])).toBe(false);
    expect(isTrusted('/srv/skills/a', ['/srv/skills'])).toBe(true);
    expect(isTrusted('/srv/skills-evil', ['/srv/skills'])).toBe(false);
  });

  it('does not hold over an open line', () => {
    const trusted = ['h.example/o'];
    const source = { kind: 'archive' as const, at: 'https://h.example/o/x.zip' };
    expect(trustOf(source, source.at, trusted)).toBe('trusted');
    expect(trustOf(source, 'http://cdn.example/x.zip', trusted)).toBe('community');
    expect(trustOf({ ...source, at: 'http://h.example/o/x.zip' }, 'http://h.example/o/x.zip', trusted)).toBe(
      'community',
    );
  });

  it('a trusted registry vouches by a hash alone', () => {
    const source = {
      kind: 'archive' as const,
      at: 'https://cdn.example/x.zip',
      registry: 'https://h.example/o/index.json',
    };
    expect(trustOf(source, source.at, ['h.example/o'])).toBe('community');
    expect(trustOf({ ...source, sha256: 'a' }, source.at, ['h.example/o'])).toBe('trusted');
    expect(trustOf({ ...source, kind: 'git', sha256: 'a' }, source.at, ['h.example/o'])).toBe('community');
  });

  it.each([
    ['builtin', 'safe', 'install'],
    ['builtin', 'caution', 'install'],
    ['builtin', 'dangerous', 'refuse'],
    ['trusted', 'safe', 'install'],
    ['trusted', 'caution', 'install'],
    ['trusted', 'dangerous', 'refuse'],
    ['community', 'safe', 'install'],
    ['community', 'caution', 'ask'],
    ['community', 'dangerous', 'refuse'],
  ] as const)('%s and %s: %s', (trust, verdict, decision) => {
    expect(decide(trust, verdict)).toBe(decision);
  });
});
