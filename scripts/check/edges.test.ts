import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EDGES, mayImport, moduleOf } from './edges.ts';

const NONE = '–';
const root = join(import.meta.dirname, '..', '..');
const document = join(root, 'docs', 'architecture.md');

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

/** The edges that the tree goes along, as `from to`. Across modules only # names are allowed, so these are all. */
function usedEdges(): string[] {
  const files = ['src', 'demo', 'testkit', 'console/src'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .map((name) => `${folder}/${String(name).replaceAll('\\', '/')}`)
      .filter((path) => /(?<!\.test)\.tsx?$/.test(path)),
  );
  const used = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/'#((?:spec|engines|adapters)\/[\w-]+|[\w-]+)/g)].map(
      ([, to = '']) => `${moduleOf(file)} ${to}`,
    ),
  );
  return [...new Set(used)];
}

describe('the edges', () => {
  it('are each used: a module that is planned gets its edges when it comes', () => {
    const used = usedEdges();
    const allowed = Object.entries(EDGES).flatMap(([from, all]) => all.map((to) => `${from} ${to}`));
    const goesAlong = (edge: string) => new RegExp(`^${edge.replaceAll('*', '[^ ]+')}$`);
    const phantoms = allowed.filter((edge) => !used.some((one) => goesAlong(edge).test(one)));
    expect(phantoms).toEqual([]);
  });

  it.each([
    ['src/spec/data/error.ts', 'spec/data'],
    ['src/kit/redact.ts', 'kit'],
    ['src/adapters/models/wire/frames.ts', 'adapters/models'],
    ['src/app/chat/chat.ts', 'app'],
    ['src/config/schema.ts', 'config'],
    ['src/host/home.ts', 'host'],
    ['testkit/model-server/script.ts', 'testkit'],
    ['test/support/engines/agent/scripted-turn.ts', 'engines/agent'],
    ['test/support/server/scripted-api.ts', 'server'],
    ['test/models/endpoints.ts', undefined],
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
    ['config', 'adapters/store', false],
    ['config', 'host', false],
    ['cli', 'engines/models', false],
    ['console', 'spec/ports', false],
  ])('%s to %s: %s', (from, to, allowed) => {
    expect(mayImport(from, to)).toBe(allowed);
  });
});
