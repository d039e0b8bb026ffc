import { tell, type Text } from '#kit/text';
import type { Language } from '#kit/language';
import { isRecord } from '#kit/is-record';

/** From the worst down. */
export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;
export type Severity = (typeof SEVERITIES)[number];

const NAMES: Readonly<Record<Severity | 'none', Text>> = {
  critical: tell('critical', '严重'),
  high: tell('high', '高'),
  medium: tell('medium', '中'),
  low: tell('low', '低'),
  info: tell('info', '提示'),
  none: tell('none', '无'),
};

const SYNONYMS: Readonly<Record<string, Severity>> = {
  error: 'high',
  err: 'high',
  fatal: 'critical',
  blocker: 'critical',
  major: 'high',
  moderate: 'medium',
  warning: 'medium',
  warn: 'medium',
  minor: 'low',
  note: 'info',
};

/** What others call a severity, as one of ours. */
export function severityOf(word: unknown): Severity {
  const name = typeof word === 'string' ? word.toLowerCase() : '';
  return SEVERITIES.find((known) => known === name) ?? SYNONYMS[name] ?? 'info';
}

export const rankOf = (severity: unknown): number => SEVERITIES.indexOf(severityOf(severity));

export const severityName = (severity: Severity | 'none', language: Language): string =>
  NAMES[severity][language];

/** The worst among things that have a `severity`. */
export function worst(items: readonly { readonly severity: Severity }[]): Severity | 'none' {
  return SEVERITIES.find((severity) => items.some((item) => item.severity === severity)) ?? 'none';
}

/** Whether something looks like a finding: it has a severity and a message. */
export const isFinding = (value: unknown): value is Record<string, unknown> =>
  isRecord(value) && typeof value.severity === 'string' && typeof value.message === 'string';
