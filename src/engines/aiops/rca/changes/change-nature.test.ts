import { describe, expect, it } from 'vitest';
import { changeNature } from './change-nature.ts';

const isIdle = (files: readonly string[], summary = 'change'): boolean =>
  changeNature({ id: 'c', kind: 'commit', time: '2026-01-01T10:00:00Z', summary, details: { files } }).idle;

describe('changeNature', () => {
  it.each([
    'docs/api/orders.md',
    'README.md',
    'CODEOWNERS',
    '.github/workflows/build.yml',
    'pkg/.golangci.yml',
    'pkg/money/convert_test.go',
    'web/cart.spec.ts',
    'pkg/invoice/testdata/golden.json',
  ])('knows that %s alters nothing that runs', (file) => {
    expect(isIdle([file])).toBe(true);
    expect(isIdle([file, 'src/main.go'])).toBe(false);
  });

  it.each(['.env', 'Dockerfile', 'requirements.txt', 'services/latest/main.go', 'docker/run.sh'])(
    'knows that %s may',
    (file) => {
      expect(isIdle([file])).toBe(false);
    },
  );

  it('believes the kind that a commit says it is where its files are unknown', () => {
    expect(isIdle([], 'docs: explain the pool')).toBe(true);
    expect(isIdle([], 'test the pool')).toBe(false);
  });
});
