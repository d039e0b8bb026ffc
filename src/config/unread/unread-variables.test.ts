import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { NOT_READ_YET } from './not-read-yet.ts';
import { KNOWN_VARIABLES } from './unread-variables.ts';

it('knows every variable that a source names, and no other', () => {
  const src = join(import.meta.dirname, '..', '..');
  const named = new Set<string>();
  for (const entry of readdirSync(src, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (!entry.isFile() || !file.endsWith('.ts') || /\.test\.ts$|\/unread\//.test(file)) continue;
    for (const [, name] of readFileSync(file, 'utf8').matchAll(/'((?:RUNBOOK|ACTION_EXECUTION)_[A-Z_]+)'/g))
      named.add(name ?? '');
  }
  expect([...named].toSorted()).toEqual([...KNOWN_VARIABLES].toSorted());
  expect(KNOWN_VARIABLES.filter((name) => NOT_READ_YET.environment.includes(name))).toEqual([]);
});
