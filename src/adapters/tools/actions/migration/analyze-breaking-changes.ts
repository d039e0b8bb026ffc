import { z } from 'zod';
import { isRecord } from '#kit/is-record';
import { defineTool, type ToolContext, type ToolResult } from '#spec/ports';
import type { UsagePattern } from './api-usage.ts';
import { askForJson } from '../ask-for-json.ts';
import { type BreakingChange, breakingIn, made, usesOf } from './breaking-changes.ts';
import { type ChangelogEntry, parseChangelog } from './changelog.ts';
import { listIn, stringIn } from '../loose.ts';
import { rankOf, worst } from '../severity.ts';
import { answer, count } from '../../text/answer.ts';

const MOST_CHANGES = 200;

const input = z.strictObject({
  changelog: z.unknown().describe('of fetch_changelog, or the text of one'),
  current_usage: z.unknown().optional().describe('usage_patterns of scan_api_usage'),
});
type Input = z.infer<typeof input>;

export const tool = defineTool<Input>({
  name: 'analyze_breaking_changes',
  toolset: 'actions',
  description: 'What in a changelog breaks, and which places of this project it meets.',
  input,
  deferred: true,
  effect: () => 0,
  footprint: () => ({}),
  run: analyze,
});

const Usage = z.object({
  symbol: z.string(),
  kind: z.enum(['import', 'call', 'member']).default('call'),
  file: z.string(),
  line: z.number(),
  text: z.string().default(''),
});
const Entry = z.object({ version: z.string(), date: z.string().optional(), text: z.string().default('') });

async function analyze({ changelog, current_usage }: Input, context: ToolContext): Promise<ToolResult> {
  const usage = listIn(current_usage, 'usage_patterns').flatMap((entry): UsagePattern[] => {
    const parsed = Usage.safeParse(entry);
    return parsed.success ? [parsed.data] : [];
  });
  const entries = entriesOf(changelog);
  const byRules = breakingIn(entries, usage);
  const byModel = await modelChanges(entries, byRules, usage, context);
  const all = [...byRules, ...byModel]
    .toSorted((a, b) => rankOf(a.severity) - rankOf(b.severity))
    .slice(0, MOST_CHANGES);
  const breaking = all.filter(({ kind }) => kind !== 'deprecated');
  const affected = [...new Set(all.flatMap(({ affects }) => affects.map(({ file }) => file)))];
  const major = isRecord(changelog) && changelog.major_change === true;
  const level = worst(all);
  const lines = all.map(
    ({ severity, kind, version, text, affects }) =>
      `[${severity}] ${version} ${kind}: ${text}${affects.length > 0 ? ` (${count(affects.length, 'use')} here)` : ''}`,
  );
  const note =
    breaking.length === 0 && major
      ? ['The major version changes, but the changelog names nothing that breaks: read it.']
      : [];
  const summary = `${count(breaking.length, 'breaking change')}, ${count(affected.length, 'file')} affected`;
  return answer([summary, ...note, ...lines].join('\n'), summary, {
    package: stringIn(changelog, 'package') ?? null,
    from_version: stringIn(changelog, 'from_version') ?? null,
    to_version: stringIn(changelog, 'to_version') ?? null,
    breaking,
    deprecations: all.filter(({ kind }) => kind === 'deprecated'),
    count: breaking.length,
    has_breaking: breaking.length > 0,
    affected_files: affected,
    major_change: major,
    risk_level: level === 'none' ? (major ? 'medium' : 'low') : level === 'info' ? 'low' : level,
    notes: note,
    by_model: byModel.length,
  });
}

function entriesOf(changelog: unknown): ChangelogEntry[] {
  if (typeof changelog === 'string') {
    const parsed = parseChangelog(changelog);
    return parsed.length > 0 ? parsed : [{ version: '', date: undefined, text: changelog.slice(0, 50_000) }];
  }
  return listIn(changelog, 'entries').flatMap((entry): ChangelogEntry[] => {
    const parsed = Entry.safeParse(entry);
    return parsed.success ? [{ ...parsed.data, date: parsed.data.date }] : [];
  });
}

const ModelChanges = z.array(
  z.object({
    version: z.string(),
    kind: z.enum(['removed', 'renamed', 'deprecated', 'requirement', 'changed']),
    symbol: z.string().max(100).optional(),
    replacement: z.string().max(100).optional(),
    text: z.string().min(1).max(500),
  }),
);

/** What a model reads out of the prose, where the rules did not name the same symbol. */
async function modelChanges(
  entries: readonly ChangelogEntry[],
  known: readonly BreakingChange[],
  usage: readonly UsagePattern[],
  context: ToolContext,
): Promise<BreakingChange[]> {
  if (entries.length === 0) return [];
  const question =
    'List what breaks callers in this changelog as [{"version","kind":"removed|renamed|deprecated|requirement|changed","symbol","replacement","text"}].';
  const material = entries.map(({ version, text }) => `## ${version}\n${text}`).join('\n\n');
  const found = (await askForJson(question, material, ModelChanges, context)) ?? [];
  return found
    .filter(({ symbol, text }) => material.includes(symbol ?? text.slice(0, 40)))
    .filter(({ symbol }) => symbol === undefined || !known.some((change) => change.symbol === symbol))
    .slice(0, 40)
    .map(({ version, kind, symbol, replacement, text }) =>
      made({
        version,
        kind,
        text,
        affects: symbol === undefined ? [] : usesOf(symbol, usage),
        source: 'model',
        ...(symbol === undefined ? {} : { symbol }),
        ...(replacement === undefined ? {} : { replacement }),
      }),
    );
}
