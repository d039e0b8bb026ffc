import type { Change } from '#spec/data';
import { type DiffLines, readDiff, type ReplacedValue, replacedValues } from './read-diff.ts';

export interface ChangeNature {
  /** It cannot alter what runs: documents, tests, the build of others, owners. */
  readonly idle: boolean;
  readonly diff: DiffLines | undefined;
  readonly files: readonly string[];
  readonly replaced: readonly ReplacedValue[];
  /** How readily such a change breaks something, around 1. */
  readonly risk: number;
}

const IDLE_FILE =
  /(?:^|\/)(?:docs?|documentation|tests?|__tests__|testdata|fixtures|\.github|\.circleci|\.gitlab)\/|\.(?:md|mdx|rst|txt|adoc)$|[._-](?:test|spec)\.\w+$|_test\.\w+$|(?:^|\/)(?:CODEOWNERS|LICENSE|README|CHANGELOG|\.golangci\.ya?ml|\.editorconfig|\.gitignore)[^/]*$/i;
const IDLE_SUMMARY = /^(?:docs?|tests?|ci|style)(?:\([^)]*\))?!?:|^#(?:docs?|tests?|ci)\b/i;
/** Where versions of dependencies stand: they change often, and mostly nothing happens. */
const DEPENDENCY_FILE =
  /(?:^|\/)(?:go\.(?:mod|sum)|package(?:-lock)?\.json|yarn\.lock|pnpm-lock\.yaml|requirements[^/]*\.txt|poetry\.lock|pyproject\.toml|pom\.xml|build\.gradle(?:\.kts)?|Gemfile(?:\.lock)?|Cargo\.(?:toml|lock)|composer\.(?:json|lock))$/i;
const HARMLESS_FILE = /\.(?:css|scss|svg|png|html?|tsx?)$/i;
/** Words by which authors say that nothing should change. They may be wrong, so it only lowers the risk. */
const TIDYING =
  /\b(?:refactor|tidy|rename|cleanup|clean up|simplify|extract|collapse|typo|comment|format|lint|imports?)\b/i;

/** Values are what breaks at run time; lines taken away next; what is only added may never run. */
const RISK = {
  value: 1.5,
  dependency: 1,
  removal: 1.1,
  addition: 0.8,
  unknown: 0.6,
  tidying: 0.8,
  harmless: 0.5,
} as const;

export function changeNature(change: Change): ChangeNature {
  const { details = {}, summary } = change;
  const files = Array.isArray(details['files'])
    ? details['files'].filter((file) => typeof file === 'string')
    : [];
  const text = typeof details['diff'] === 'string' ? details['diff'] : '';
  const diff = text ? readDiff(text) : undefined;
  const replaced = [...(diff ? replacedValues(diff) : []), ...statedValue(change)];
  const idle = files.length ? files.every((file) => IDLE_FILE.test(file)) : IDLE_SUMMARY.test(summary);
  return { idle, diff, files, replaced, risk: riskOf(summary, files, diff, replaced.length) };
}

/** A setting or flag that says itself what it was and what it is now. */
function statedValue({ kind, details = {} }: Change): ReplacedValue[] {
  if (kind !== 'config' && kind !== 'flag') return [];
  const { key, from, to } = details;
  if (typeof key !== 'string' || !isPlain(from) || !isPlain(to) || from === to) return [];
  return [{ from: String(from), to: String(to), line: `${key} ${to}` }];
}

const isPlain = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

function riskOf(
  summary: string,
  files: readonly string[],
  diff: DiffLines | undefined,
  replaced: number,
): number {
  const harmless = files.length && files.every((file) => HARMLESS_FILE.test(file)) ? RISK.harmless : 1;
  if (!diff) return RISK.unknown * harmless;
  if (files.length && files.every((file) => DEPENDENCY_FILE.test(file))) return RISK.dependency;
  if (replaced) return RISK.value * harmless;
  const kind = diff.removed.length ? RISK.removal : RISK.addition;
  return kind * harmless * (TIDYING.test(summary) ? RISK.tidying : 1);
}
