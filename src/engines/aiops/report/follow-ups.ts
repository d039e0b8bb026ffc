import type { Language } from '#kit/language';
import { RECOVERIES } from '../names.ts';
import type { ReportInput } from './report-input.ts';

const WORDS = {
  en: {
    person: (note: string) => `A person has to take over: ${note}`,
    unknown: (service: string) => `Look at ${service}: whether the action was carried out is not known`,
    failed: (detail: string) => `The action failed: ${detail}`,
    notRecovered: (summary: string) => `Not recovered: ${summary}`,
    mend: (change: string) =>
      `Mend change ${change} before it is released again: the action restored service, not the change`,
    rehearsed: (why: string) => `The action was only rehearsed: ${why}`,
    decide: (query: string) => `Ask what would decide: ${query}`,
    missing: (what: string) => `Make it visible next time: ${what}`,
    gap: (gap: string) => `A backend gave nothing: ${gap}`,
    blind: (dimension: string) => `No signal to verify recovery by: ${dimension}`,
  },
  zh: {
    person: (note: string) => `需要人工处理:${note}`,
    unknown: (service: string) => `核对 ${service} 的真实状态:执行结果未知`,
    failed: (detail: string) => `执行失败:${detail}`,
    notRecovered: (summary: string) => `尚未恢复:${summary}`,
    mend: (change: string) => `修复变更 ${change} 后再重新发布,处置只是恢复了服务`,
    rehearsed: (why: string) => `动作只做了预演:${why}`,
    decide: (query: string) => `可以定论的查询:${query}`,
    missing: (what: string) => `补上缺失的证据:${what}`,
    gap: (gap: string) => `采集失败的后端:${gap}`,
    blind: (dimension: string) => `恢复验证缺少信号:${dimension}`,
  },
} satisfies Record<Language, object>;

/** What the incident left open, read off its own records. Nothing here is made up. */
export function followUps({ incident, facts, language }: ReportInput): string[] {
  const words = WORDS[language];
  const { rca, action, execution, recovery, state } = incident;
  const [first] = rca?.hypotheses ?? [];
  const gaps = facts.flatMap((fact) => (fact.type === 'evidence.collected' ? fact.data.gaps : []));
  const checks = recovery?.checks ?? [];
  const open: string[] = [];
  if (state === 'needs_person') open.push(words.person(incident.note ?? ''));
  if (execution?.status === 'unknown') open.push(words.unknown(action?.service ?? '?'));
  if (execution?.status === 'failed') open.push(words.failed(execution.detail));
  for (const { ok, summary } of checks) if (ok === false) open.push(words.notRecovered(summary));
  if (execution?.status === 'done' && first?.change) open.push(words.mend(first.change));
  if (action?.dryRunOnly) open.push(words.rehearsed(action.dryRunOnly));
  if (rca?.status === 'inconclusive' && rca.nextQuery) open.push(words.decide(rca.nextQuery));
  for (const what of rca?.missing ?? []) open.push(words.missing(what));
  for (const gap of gaps) open.push(words.gap(gap));
  for (const { ok, dimension } of checks)
    if (ok === undefined) open.push(words.blind(RECOVERIES[dimension][language]));
  return [...new Set(open)];
}
