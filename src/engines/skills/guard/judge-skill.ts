import { showHidden } from '#kit/hidden-characters';
import { redact } from '#kit/redact';
import type { SkillFinding, SkillVerdict } from '#spec/data';
import { credentials } from './credentials.ts';
import { folderFindings, sizeOf, textOf } from './folder-rules.ts';
import { hiddenCharacters, injections } from './injection.ts';
import { judgeShell } from './judge-shell.ts';
import { MOST_A_RULE, MOST_BYTES, MOST_FILE_BYTES, MOST_FILES, MOST_FINDINGS, MOST_SHOWN } from './limits.ts';
import { lookAlikes } from './look-alikes.ts';
import { matchLines } from './match-lines.ts';
import type { Severity, Sighting } from './rule.ts';
import { secretsSent } from './secrets-sent.ts';
import { calledTexts, fencedTexts, recipeTexts, wholeScript } from './shell-texts.ts';
import type { SkillPart } from './skill-part.ts';
import { textLines } from './text-lines.ts';

export interface SkillJudgement {
  readonly verdict: SkillVerdict;
  /** The worst first. */
  readonly findings: readonly SkillFinding[];
}

const RANK: Readonly<Record<Severity, number>> = { dangerous: 0, caution: 1, notice: 2 };
const PROSE = /\.(?:md|markdown|mdx|txt|rst|adoc|org)$/i;

/**
 * Reads a skill's folder and says whether it may come in. Nothing is run; the time grows with the length of the text,
 * and what lies beyond the limits of a folder is not read: such a folder is dangerous for that alone.
 */
export function judgeSkill(parts: readonly SkillPart[]): SkillJudgement {
  const findings = folderFindings(parts);
  let read = 0;
  for (const part of parts.slice(0, MOST_FILES)) {
    const size = sizeOf(part);
    if ('link' in part || size > MOST_FILE_BYTES || read + size > MOST_BYTES) continue;
    read += size;
    const text = 'text' in part ? part.text : textOf(part.bytes);
    if (text !== undefined) findings.push(...fileFindings(part.path, text));
  }
  findings.sort((one, other) => RANK[one.severity] - RANK[other.severity]);
  const worst = findings[0]?.severity;
  return {
    verdict: worst === 'dangerous' || worst === 'caution' ? worst : 'safe',
    findings: findings.slice(0, MOST_FINDINGS),
  };
}

function fileFindings(path: string, text: string): SkillFinding[] {
  const isCode = !PROSE.test(path);
  const lines = textLines(text, isCode);
  const warned = new Set(lines.filter((line) => line.warned).map((line) => line.number));
  const script = wholeScript(path, text);
  const shell = script
    ? [script]
    : [
        ...(isCode ? [] : fencedTexts(text, warned)),
        ...calledTexts(lines, isCode),
        ...recipeTexts(path, lines),
      ];
  const seen = [
    ...hiddenCharacters(text),
    ...injections(lines),
    ...matchLines(lines),
    ...secretsSent(lines),
    ...judgeShell(shell),
    ...lookAlikes(lines),
    ...credentials(lines),
  ];
  return fewest(seen).map(({ text: shown, ...rest }) => ({ path, ...rest, shown: showLine(shown) }));
}

/** The worst of every rule first, a few of each, no line twice for the same rule. */
function fewest(seen: readonly Sighting[]): Sighting[] {
  const count = new Map<string, number>();
  const lines = new Set<string>();
  return seen
    .toSorted((one, other) => RANK[one.severity] - RANK[other.severity])
    .filter(({ rule, line }) => {
      const many = count.get(rule) ?? 0;
      if (many >= MOST_A_RULE || lines.has(`${rule} ${line}`)) return false;
      count.set(rule, many + 1);
      lines.add(`${rule} ${line}`);
      return true;
    });
}

function showLine(text: string): string {
  const line = redact(showHidden(text.trim()).replace(/\s+/g, ' '));
  return line.length > MOST_SHOWN ? `${line.slice(0, MOST_SHOWN - 1)}…` : line;
}
