import { tell, type Text } from '#kit/text';
import { dropHidden } from '#kit/hidden-characters';
import { isRecord } from '#kit/is-record';
import type { Language } from '#kit/language';
import { redact } from '#kit/redact';
import { listIn, stringIn } from '../loose.ts';
import { isFinding, rankOf, severityOf, severityName } from '../severity.ts';

/** A part of a report, before it has a format. */
export type ReportBlock =
  | { readonly kind: 'findings'; readonly heading: string; readonly findings: readonly ReportFinding[] }
  | {
      readonly kind: 'table';
      readonly heading: string;
      readonly columns: readonly string[];
      readonly rows: readonly (readonly string[])[];
    }
  | { readonly kind: 'list'; readonly heading: string; readonly items: readonly string[] }
  | { readonly kind: 'text'; readonly heading: string; readonly text: string };

interface ReportFinding {
  readonly severity: string;
  readonly where: string;
  readonly message: string;
  readonly suggestion: string;
}

const HEADINGS: Readonly<Record<string, Text>> = {
  findings: tell('Findings', '发现问题'),
  review: tell('Findings', '发现问题'),
  health: tell('Health', '健康状态'),
  anomalies: tell('Anomalies', '异常'),
  remediation: tell('Remediation', '修复'),
  metrics: tell('Metrics', '指标'),
  summary: tell('Summary', '概览'),
  stats: tell('Overview', '概览'),
  positives: tell('Good', '亮点'),
  commits: tell('Commits', '提交'),
};
const MOST_ROWS = 200;
const MOST_CELL = 300;

/** One line of clean text. */
const cell = (value: unknown): string => {
  const text =
    typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);
  return redact(dropHidden(text)).replace(/\s+/g, ' ').trim().slice(0, MOST_CELL).toWellFormed();
};

const headingOf = (name: string, language: Language): string => {
  const known = HEADINGS[name]?.[language];
  const plain = name.replaceAll('_', ' ');
  return known ?? plain.charAt(0).toUpperCase() + plain.slice(1);
};

/** The blocks for one named value, by its shape. */
export function blocksFor(
  name: string,
  value: unknown,
  language: Language,
  bySeverity: boolean,
): ReportBlock[] {
  if (value === undefined || value === null || value === '') return [];
  const heading = headingOf(name, language);
  const findings = listIn(value, 'issues', 'items', 'findings', 'anomalies').filter(isFinding);
  if (findings.length > 0) {
    const good = isRecord(value) ? listIn(value.positives).map((entry) => stringIn(entry, 'message')) : [];
    return [findingsBlock(heading, findings, bySeverity, language), ...goodBlock(good, language)];
  }
  const rows = listIn(value, 'results', 'rows', 'checks').filter(isRecord);
  if (rows.length > 0) return [tableBlock(heading, rows)];
  if (typeof value === 'string')
    return [{ kind: 'text', heading, text: redact(dropHidden(value)).slice(0, 50_000) }];
  if (Array.isArray(value)) return listBlock(heading, value);
  if (isRecord(value)) return recordBlocks(heading, value, language);
  return [{ kind: 'text', heading, text: cell(value) }];
}

function findingsBlock(
  heading: string,
  findings: readonly Record<string, unknown>[],
  bySeverity: boolean,
  language: Language,
): ReportBlock {
  const sorted = bySeverity ? findings.toSorted((a, b) => rankOf(a.severity) - rankOf(b.severity)) : findings;
  return {
    kind: 'findings',
    heading,
    findings: sorted.slice(0, MOST_ROWS).map((finding) => ({
      severity: severityName(severityOf(finding.severity), language),
      where: placeOf(finding),
      message: cell(finding.message),
      suggestion: cell(finding.suggestion),
    })),
  };
}

function placeOf(finding: Record<string, unknown>): string {
  const file = stringIn(finding, 'file');
  if (file === undefined) return cell(finding.name ?? finding.title);
  return typeof finding.line === 'number' ? `${cell(file)}:${finding.line}` : cell(file);
}

const goodBlock = (good: readonly (string | undefined)[], language: Language): ReportBlock[] => {
  const items = good.filter((text) => text !== undefined).map(cell);
  return items.length > 0 ? [{ kind: 'list', heading: headingOf('positives', language), items }] : [];
};

/** Columns that most rows have, plain values alone. */
function tableBlock(heading: string, rows: readonly Record<string, unknown>[]): ReportBlock {
  const plain = (value: unknown) => value !== undefined && (typeof value !== 'object' || value === null);
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter(
    (key) => rows.filter((row) => plain(row[key]) && row[key] !== '').length * 2 >= rows.length,
  );
  const shown = columns.slice(0, 8);
  return {
    kind: 'table',
    heading,
    columns: shown,
    rows: rows.slice(0, MOST_ROWS).map((row) => shown.map((key) => cell(row[key]))),
  };
}

function listBlock(heading: string, value: readonly unknown[]): ReportBlock[] {
  const rows = value.filter(isRecord);
  if (rows.length === value.length && rows.length > 0) return [tableBlock(heading, rows)];
  return [{ kind: 'list', heading, items: value.slice(0, MOST_ROWS).map(cell) }];
}

/** Plain fields as a list; a text of its own stays one. */
function recordBlocks(heading: string, value: Record<string, unknown>, language: Language): ReportBlock[] {
  const text = stringIn(value, 'text');
  if (text !== undefined) return [{ kind: 'text', heading, text: redact(dropHidden(text)).slice(0, 50_000) }];
  const items = Object.entries(value)
    .filter(([, field]) => field !== undefined && field !== null && !isRecord(field))
    .map(([key, field]) => {
      const shown = Array.isArray(field) ? field.map(cell).join(tell(', ', '、')[language]) : cell(field);
      return `${key.replaceAll('_', ' ')}: ${shown.slice(0, MOST_CELL)}`;
    });
  return items.length > 0 ? [{ kind: 'list', heading, items }] : [];
}
