import type { z } from 'zod';
import { isRecord } from '#kit/is-record';
import { nearest } from '#kit/nearest';
import { type ConfigPath, formatPath } from './config-path.ts';
import { childOf, expectation, type Field, fieldAt, keysOf, nameExpectation } from './field.ts';
import { hideSecrets, type Problem } from './problem.ts';
import { ROOT } from './schema.ts';

/** Where a key or its value stands, and the text that was found there. */
export type Locate = (
  path: ConfigPath,
  part: 'key' | 'value',
) => { readonly where: Pick<Problem, 'source' | 'line' | 'column'>; readonly found?: string };

/** One problem for each thing that a person would mend, in words that do not need the schema at hand. */
export function explainIssue(issue: z.core.$ZodIssue, locate: Locate, above: ConfigPath = []): Problem[] {
  const path = [...above, ...(issue.path as (string | number)[])];
  const say = (at: ConfigPath, part: 'key' | 'value', message: string): Problem[] => [
    { ...locate(at, part).where, path: formatPath(at), message },
  ];
  const field = fieldAt(ROOT, path);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.flatMap((key) => say([...path, key], 'key', unknownKey(path, key)));
  }
  if (issue.code === 'invalid_key') {
    const allowed = nameExpectation(fieldAt(ROOT, path.slice(0, -1)));
    return say(path, 'key', `cannot be a name here; allowed: ${allowed}`);
  }
  if (issue.code === 'invalid_union' && isRecord(issue.input)) {
    // The branch for groups is the one that complains about keys rather than about the value being a group.
    const group = issue.errors.find((branch) =>
      branch.every((inner) => inner.path.length > 0 || 'keys' in inner),
    );
    if (group) return group.flatMap((inner) => explainIssue(inner, locate, path));
  }
  const allowed = field ? expectation(field) : issue.message;
  if (issue.input === undefined && field?.required) return say(path, 'key', `is missing; needs ${allowed}`);
  const found = describeFound(field, issue.input, locate(path, 'value').found);
  return say(path, 'value', `found ${found}; allowed: ${allowed}`);
}

function describeFound(field: Field | undefined, input: unknown, source: string | undefined): string {
  const kind = Array.isArray(input) ? 'a list' : isRecord(input) ? 'a group' : `a ${typeof input}`;
  if (field?.doc?.secret || field?.doc?.hidden) return kind;
  if (source !== undefined) return source;
  return typeof input === 'object' ? kind : hideSecrets(JSON.stringify(input) ?? 'nothing');
}

/** A near name of the same group, else the group that has the key, else everything the group knows. */
export function unknownKey(path: ConfigPath, key: string): string {
  const field = fieldAt(ROOT, path);
  const known = (field && keysOf(field)) ?? [];
  const close = nearest(key, known);
  if (close) return `unknown key; did you mean ${formatPath([...path, close])}?`;
  const group = known.find((name) => {
    const child = field && childOf(field, name);
    return child && keysOf(child)?.includes(key);
  });
  if (group) return `unknown key; did you mean ${formatPath([...path, group, key])}?`;
  if (keysOf(ROOT)?.includes(key)) return `unknown key here; ${key} belongs at the top of the file`;
  return `unknown key; allowed: ${known.join(', ')}`;
}
