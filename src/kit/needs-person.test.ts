import { expect, it } from 'vitest';
import { needsPerson } from './needs-person.ts';

it.each([
  ['needs_person', 'P4', undefined, true],
  ['needs_person', 'P4', 'disk', true],
  ['watching', 'P1', undefined, true],
  ['investigating', 'P2', undefined, true],
  ['watching', 'P1', 'disk', false],
  ['watching', 'P3', undefined, false],
] as const)('%s, %s, cause %s: %s', (state, severity, cause, needed) =>
  expect(needsPerson({ state, severity, ...(cause ? { cause } : {}) })).toBe(needed),
);
