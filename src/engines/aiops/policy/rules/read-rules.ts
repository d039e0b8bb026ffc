import { parse, YAMLParseError } from 'yaml';
import { z } from 'zod';
import { GovernanceRule } from '#spec/data';
import { isWithinHours } from './hours.ts';
import { parseRule, type RuleSettings } from './parse-rule.ts';

const Rules = z.union([z.array(z.unknown()), z.object({ rules: z.array(z.unknown()).default([]) })]);
const StrictRule = GovernanceRule.partial({ id: true, text: true }).strict();

export interface ReadRules {
  readonly rules: readonly GovernanceRule[];
  /** What could not be read, and so does not hold. To be shown: somebody believes that it does. */
  readonly problems: readonly string[];
}

/** Rules as YAML: a list of sentences and records, by itself or under `rules`. */
export function readRules(text: string, source: string, settings: RuleSettings = {}): ReadRules {
  const problems: string[] = [];
  const raw = parsed(text, problems);
  const list = Rules.safeParse(raw ?? []);
  if (!list.success) problems.push(`${source}: rules are a list of sentences and records`);
  const entries = list.success ? (Array.isArray(list.data) ? list.data : list.data.rules) : [];
  const rules = entries.flatMap((entry, index) => {
    const id = `${source}#${index + 1}`;
    const rule = typeof entry === 'string' ? parseRule(entry, id, settings) : recordOf(entry, id, problems);
    if (!rule && typeof entry === 'string')
      problems.push(`${id}: this is not a rule that is understood: ${entry}`);
    return rule ? [rule] : [];
  });
  return { rules, problems };
}

function parsed(text: string, problems: string[]): unknown {
  try {
    return parse(text, { maxAliasCount: 20 });
  } catch (error) {
    if (!(error instanceof YAMLParseError)) throw error;
    problems.push(error.message.split('\n', 1)[0] ?? error.message);
    return [];
  }
}

function recordOf(entry: unknown, id: string, problems: string[]): GovernanceRule | undefined {
  const read = StrictRule.safeParse(entry);
  if (!read.success) {
    for (const { path, message } of read.error.issues)
      problems.push(`${id}${path.length ? ` ${path.join('.')}` : ''}: ${message}`);
    return undefined;
  }
  const rule: GovernanceRule = { ...read.data, id: read.data.id ?? id, text: read.data.text ?? id };
  if (rule.effect === 'prefer' && !rule.prefer) {
    problems.push(`${id}: 'prefer' needs what to do instead`);
    return undefined;
  }
  if (rule.hours && isWithinHours(rule.hours, 0, 'UTC') === undefined)
    problems.push(`${id}: hours are HH:MM with a known zone; until then it holds all day`);
  return rule;
}
