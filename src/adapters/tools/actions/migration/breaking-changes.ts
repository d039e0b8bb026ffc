import type { ChangelogEntry } from './changelog.ts';
import type { UsagePattern } from './api-usage.ts';
import type { Severity } from '../severity.ts';

export interface BreakingChange {
  readonly version: string;
  readonly kind: 'removed' | 'renamed' | 'deprecated' | 'requirement' | 'changed';
  readonly symbol?: string;
  readonly replacement?: string;
  readonly text: string;
  readonly severity: Severity;
  /** Places of this project that use the symbol. */
  readonly affects: readonly Pick<UsagePattern, 'file' | 'line' | 'text'>[];
  readonly source: 'rule' | 'model';
}

const SECTION = /^#{1,6}\s|^\*\*[^*]+\*\*:?\s*$|^[A-Z][\w ]{2,40}:\s*$/;
const BREAKING_SECTION = /break|removed|removal|incompatib|migrat|upgrade guide|⚠|💥/i;
const DEPRECATED_SECTION = /deprecat/i;
const BREAKING_LINE = /\bBREAKING\b|\bbackwards?[- ]incompatible|💥|^\s*[-*]\s*\w+(?:\([^)]*\))?!:/i;
const REMOVES =
  /\b(?:remov(?:e[ds]?|al)|dropp?(?:ed|s)?|delet(?:e[ds]?)|no longer (?:exports?|supports?|available|accepts?))\b/i;
const REQUIRES =
  /\b(?:requires?|minimum|drop(?:s|ped)?(?: support(?: for)?)?|now needs?|end of support)\b.{0,60}\b(?:node(?:\.?js)?|python|go|rust|java|typescript|php|ruby)\b\s*[<>=v]*\s*[\d.]*/i;
const NAME = '`([^`\\s]{1,80})`';
const RENAMES: readonly RegExp[] = [
  new RegExp(`\\brenam(?:e[ds]?|ing)\\s+(?:the\\s+)?(?:\\w+\\s+)?${NAME}\\s+(?:to|→|->|=>)\\s+${NAME}`, 'i'),
  new RegExp(
    `${NAME}\\s+(?:was|is|has been|have been|are)?\\s*(?:now\\s+)?renamed\\s+(?:to\\s+)?${NAME}`,
    'i',
  ),
  new RegExp(`${NAME}\\s*(?:→|->|=>)\\s*${NAME}`),
  new RegExp(`\\breplac(?:e[ds]?|ing)\\s+(?:the\\s+)?(?:\\w+\\s+)?${NAME}\\s+(?:by|with)\\s+${NAME}`, 'i'),
  new RegExp(
    `${NAME}.{0,80}?\\b(?:use|in favou?r of|replaced (?:by|with)|superseded by)\\s+(?:the\\s+)?(?:new\\s+)?${NAME}`,
    'i',
  ),
];
const USE_INSTEAD = new RegExp(`\\buse\\s+${NAME}\\s+instead of\\s+${NAME}`, 'i');

/** What the entries of a changelog say breaks, by the words that people use for it. */
export function breakingIn(
  entries: readonly ChangelogEntry[],
  usage: readonly UsagePattern[],
): BreakingChange[] {
  return entries.flatMap(({ version, text }) => {
    let section = '';
    return pointsOf(text).flatMap((line) => {
      if (SECTION.test(line)) {
        section = line;
        if (!/!:/.test(line)) return [];
      }
      const kind = kindOfLine(line, section);
      return kind === undefined ? [] : [changeOf(version, kind, line, usage)];
    });
  });
}

/** Points of a list over several lines, as one line each. */
function pointsOf(text: string): string[] {
  const points: string[] = [];
  let inCode = false;
  for (const line of text.split('\n')) {
    if (/^\s*```/.test(line)) inCode = !inCode;
    if (inCode || line.trim() === '') continue;
    const continues = /^\s{2,}\S/.test(line) && !/^\s*[-*+]\s/.test(line) && points.length > 0;
    if (continues) points[points.length - 1] += ` ${line.trim()}`;
    else points.push(line.trimEnd());
  }
  return points;
}

function kindOfLine(line: string, section: string): BreakingChange['kind'] | undefined {
  if (REQUIRES.test(line)) return 'requirement';
  if (renameIn(line) && !DEPRECATED_SECTION.test(section) && !/deprecat/i.test(line)) return 'renamed';
  if (/\bdeprecat/i.test(line) || (DEPRECATED_SECTION.test(section) && isPoint(line))) return 'deprecated';
  const inSection = BREAKING_SECTION.test(section) && isPoint(line);
  if (REMOVES.test(line) && (inSection || /`[^`]+`/.test(line))) return 'removed';
  return inSection || BREAKING_LINE.test(line) ? 'changed' : undefined;
}

const isPoint = (line: string): boolean => !SECTION.test(line) && line.trim().length > 3;

function renameIn(line: string): readonly [from: string, to: string] | undefined {
  const turned = USE_INSTEAD.exec(line);
  if (turned?.[1] && turned[2]) return [turned[2], turned[1]];
  for (const pattern of RENAMES) {
    const found = pattern.exec(line);
    if (found?.[1] && found[2] && found[1] !== found[2]) return [found[1], found[2]];
  }
  return undefined;
}

function changeOf(
  version: string,
  kind: BreakingChange['kind'],
  line: string,
  usage: readonly UsagePattern[],
): BreakingChange {
  const renamed = renameIn(line);
  const symbol = renamed?.[0] ?? /`([^`\s]{1,80})`/.exec(line)?.[1];
  return made({
    version,
    kind,
    ...(symbol === undefined ? {} : { symbol }),
    ...(renamed ? { replacement: renamed[1] } : {}),
    text: line.replace(/^\s*(?:[-*+]|#+)\s*/, '').slice(0, 500),
    affects: symbol === undefined ? [] : usesOf(symbol, usage),
    source: 'rule',
  });
}

/** How bad it is for this project: what is used weighs more than what is not. */
export function made(change: Omit<BreakingChange, 'severity'>): BreakingChange {
  const used = change.affects.length > 0;
  const hard = change.kind === 'removed' || change.kind === 'renamed';
  const severity = used
    ? hard
      ? 'critical'
      : change.kind === 'deprecated'
        ? 'medium'
        : 'high'
    : hard
      ? 'low'
      : 'info';
  return { ...change, severity: change.kind === 'requirement' ? 'high' : severity };
}

/** `axios.create()` and `create` are the same symbol to whoever uses it. */
export const bareName = (symbol: string): string =>
  symbol
    .replace(/\(.*$/, '')
    .split(/\.|::|#/)
    .filter(Boolean)
    .at(-1)
    ?.replace(/[^\w$]/g, '') ?? symbol;

export function usesOf(symbol: string, usage: readonly UsagePattern[]): BreakingChange['affects'] {
  const name = bareName(symbol);
  if (name === '') return [];
  return usage
    .filter((pattern) => pattern.symbol === name || new RegExp(`\\b${name}\\b`).test(pattern.text))
    .map(({ file, line, text }) => ({ file, line, text }))
    .slice(0, 100);
}
