import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EDGES, mayImport, moduleOf } from './edges.ts';

const NONE = '–';
const document = join(import.meta.dirname, '..', '..', 'docs', 'architecture.md');

const unquoted = (cell: string): string => /^`([^`]+)`$/.exec(cell)?.[1] ?? `not in backticks: ${cell}`;

/** The table between the two marks, as the check has it. */
function documentedEdges(text: string): Record<string, string[]> {
  const table = text.split('<!-- edges:start -->')[1]?.split('<!-- edges:end -->')[0] ?? '';
  const rows = table
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    .filter(([from]) => from !== 'from' && !/^-+$/.test(from ?? ''));
  return Object.fromEntries(
    rows.map(([from = '', allowed = '']) => [
      unquoted(from),
      allowed === NONE ? [] : allowed.split(',').map((cell) => unquoted(cell.trim())),
    ]),
  );
}

describe('the table of allowed edges', () => {
  it('is the same in docs/architecture.md and in the check', () => {
    const documented = documentedEdges(readFileSync(document, 'utf8'));
    expect(documented).toEqual(EDGES);
    expect(Object.keys(documented)).toEqual(Object.keys(EDGES));
  });

  it('is read strictly: a cell without backticks or a missing table is a difference', () => {
    expect(documentedEdges('<!-- edges:start -->\n| `kit` | spec/data |\n<!-- edges:end -->')).toEqual({
      kit: ['not in backticks: spec/data'],
    });
    expect(documentedEdges('no table')).toEqual({});
  });
});

describe('the edges', () => {
  it.each([
    ['src/spec/data/error.ts', 'spec/data'],
    ['src/kit/redact.ts', 'kit'],
    ['src/adapters/models/wire/frames.ts', 'adapters/models'],
    ['src/app/chat/chat.ts', 'app'],
    ['src/host/config/schema.ts', 'host'],
    ['testkit/model-server/script.ts', 'testkit'],
    ['scripts/check.ts', undefined],
    ['node_modules/zod/index.js', undefined],
  ])('%s belongs to %s', (path, module) => {
    expect(moduleOf(path)).toBe(module);
  });

  it.each([
    ['engines/models', 'adapters/models', false],
    ['adapters/models', 'engines/models', false],
    ['engines/aiops', 'engines/session', false],
    ['engines/session', 'engines/agent', true],
    ['engines/session', 'engines/gate', true],
    ['app', 'engines/session', true],
    ['app', 'adapters/store', false],
    ['app', 'host', false],
    ['host', 'adapters/store', true],
    ['cli', 'engines/models', false],
    ['console', 'spec/ports', false],
  ])('%s to %s: %s', (from, to, allowed) => {
    expect(mayImport(from, to)).toBe(allowed);
  });
});
