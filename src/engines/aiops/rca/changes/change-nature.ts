import type { Change } from '#spec/data';
import { type DiffLines, readDiff, type ReplacedValue, replacedValues } from './read-diff.ts';
import { isValue } from './taken-back.ts';

export interface ChangeNature {
  /** It cannot alter what runs: documents, tests, what steers the tools and people of a repository. */
  readonly idle: boolean;
  readonly diff: DiffLines | undefined;
  readonly files: readonly string[];
  readonly replaced: readonly ReplacedValue[];
  /** How readily such a change breaks something, around 1. */
  readonly risk: number;
}

/** Prose; tests; files that begin with a dot, but for settings, or are written in capitals: no program reads them. */
const IDLE_FILE =
  /\.mdx?$|\b(?:docs?|test(?:s|data)?)\/|[._](?:test|spec)\.\w+$|(?:^|\/)(?:\.(?!env)|[A-Z]+$)/;
const IDLE_SUMMARY = /^(?:docs?|tests?|ci)[(:]/i;

export function changeNature(change: Change): ChangeNature {
  const { details = {}, summary } = change;
  const files = Array.isArray(details['files'])
    ? details['files'].filter((file) => typeof file === 'string')
    : [];
  const text = typeof details['diff'] === 'string' ? details['diff'] : '';
  const diff = text ? readDiff(text) : undefined;
  const replaced = [...(diff ? replacedValues(diff) : []), ...statedValue(change)];
  const idle = files.length ? files.every((file) => IDLE_FILE.test(file)) : IDLE_SUMMARY.test(summary);
  // Values are what breaks at run time; of what nobody recorded half as much is known.
  return { idle, diff, files, replaced, risk: (replaced.length ? 2 : 1) / (diff ? 1 : 2) };
}

/** A setting or flag that says itself what it was and what it is now. */
function statedValue({ kind, details = {} }: Change): ReplacedValue[] {
  if (kind !== 'config' && kind !== 'flag') return [];
  const { key, from, to } = details;
  if (typeof key !== 'string' || !isValue(from) || !isValue(to) || from === to) return [];
  return [{ from: String(from), to: String(to), line: `${key} ${to}` }];
}
