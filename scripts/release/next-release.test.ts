import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cutChangelog, nextVersion, withVersion } from './next-release.ts';

describe('nextVersion', () => {
  it.each([
    ['0.1.0', 'minor', '0.2.0'],
    ['0.1.9', 'patch', '0.1.10'],
    ['0.9.3', 'major', '1.0.0'],
    ['0.1.0', '0.3.1', '0.3.1'],
  ])('after %s, %s is %s', (last, asked, next) => {
    expect(nextVersion(last, asked)).toBe(next);
  });

  it.each(['0.1.0', '0.0.9', 'v0.2.0', 'next', ''])("refuses '%s' after 0.1.0", (asked) => {
    expect(() => nextVersion('0.1.0', asked)).toThrow(/is no version|does not come after/);
  });
});

describe('cutChangelog', () => {
  const before = '# Changelog\n\nThe form.\n\n## [Unreleased]\n\n### Added\n\n- A thing.\n';

  it('makes a section of what was unreleased, before the older ones', () => {
    const first = cutChangelog(before, '0.2.0', '2026-11-16');
    expect(first).toBe(
      '# Changelog\n\nThe form.\n\n## [Unreleased]\n\n## [0.2.0] - 2026-11-16\n\n### Added\n\n- A thing.\n',
    );
    const second = first.replace('## [Unreleased]\n', '## [Unreleased]\n\n### Fixed\n\n- Another.\n');
    expect(cutChangelog(second, '0.2.1', '2026-11-17')).toContain(
      '## [Unreleased]\n\n## [0.2.1] - 2026-11-17\n\n### Fixed\n\n- Another.\n\n## [0.2.0] - 2026-11-16\n\n### Added',
    );
  });

  it('refuses when nothing is unreleased', () => {
    const cut = cutChangelog(before, '0.2.0', '2026-11-16');
    expect(() => cutChangelog(cut, '0.3.0', '2026-11-17')).toThrow(/nothing is unreleased/);
    expect(() => cutChangelog('# Changelog\n', '0.3.0', '2026-11-17')).toThrow(/no section/);
  });
});

describe('withVersion', () => {
  const root = join(import.meta.dirname, '..', '..');
  const read = (name: string) => readFileSync(join(root, name), 'utf8');
  const { version } = JSON.parse(read('package.json')) as { version: string };

  it.each(['package.json', 'console/package.json', 'package-lock.json'])(
    'changes nothing else in %s',
    (name) => {
      const next = withVersion(read(name), version, '99.0.0');
      expect(next).not.toBe(read(name));
      expect(withVersion(next, '99.0.0', version)).toBe(read(name));
    },
  );
});
