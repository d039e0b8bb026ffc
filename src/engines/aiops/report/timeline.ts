import type { Language } from '#kit/language';
import type { IncidentFact } from '#spec/data';
import { showNumber } from '../rca/show-number.ts';
import type { Block, Line } from './block.ts';
import { actionFor } from './reader-words.ts';
import { showInstant, wordsOf } from './words.ts';

const MOST_ROWS = 300;

/** Every fact in its order. A run of facts of one noisy kind is one row. */
export function timelineBlocks(facts: readonly IncidentFact[], language: Language): Block[] {
  const words = wordsOf(language);
  const rows: Line[][] = [];
  for (let from = 0; from < facts.length; ) {
    const fact = facts[from];
    if (!fact) break;
    const until = endOfRun(facts, from);
    const count = until - from;
    const told = tell(fact, language);
    const text = count > 1 ? `${told} (+${count - 1} ${words.more})` : told;
    rows.push([showInstant(fact.at), { code: fact.type }, text]);
    from = until;
  }
  const shown = rows.slice(0, MOST_ROWS);
  const left = rows.length - shown.length;
  return [
    { kind: 'heading', level: 2, text: words.timeline },
    { kind: 'table', head: [words.time, words.event, words.details], rows: shown },
    ...(left > 0 ? [{ kind: 'note' as const, text: `+${left} ${words.more}` }] : []),
  ];
}

const NOISY = new Set<string>(['alert.normalized', 'gateway.received', 'incident.updated']);

function endOfRun(facts: readonly IncidentFact[], from: number): number {
  const type = facts[from]?.type;
  let until = from + 1;
  if (type && NOISY.has(type)) while (facts[until]?.type === type) until++;
  return until;
}

/** What a fact says, in one line. */
function tell(fact: IncidentFact, language: Language): string {
  const zh = language === 'zh';
  switch (fact.type) {
    case 'gateway.received':
      return zh
        ? `${fact.data.source} 送来 ${fact.data.alerts} 条告警`
        : `${fact.data.alerts} alerts from ${fact.data.source}`;
    case 'alert.normalized':
      return `${fact.data.alert.status}: ${fact.data.alert.title}`;
    case 'incident.created':
      return `${fact.data.severity} ${fact.data.title}`;
    case 'incident.updated':
      return fact.data.what;
    case 'incident.closed':
      return `${fact.data.state}: ${fact.data.why}`;
    case 'evidence.collected': {
      const { round, series, lines, spans, changes, gaps, ms } = fact.data;
      const missing = gaps.length ? ` (${gaps.join('; ')})` : '';
      return zh
        ? `第 ${round} 轮:${series} 条序列,${lines} 行日志,${spans} 个跨度,${changes} 个变更,用时 ${Math.round(ms)} ms${missing}`
        : `round ${round}: ${series} series, ${lines} log lines, ${spans} spans, ${changes} changes in ${Math.round(ms)} ms${missing}`;
    }
    case 'rca.concluded':
      return `${fact.data.summary} (${showNumber(fact.data.confidence)})`;
    case 'rca.inconclusive':
      return [fact.data.summary, ...fact.data.missing].join('; ');
    case 'action.proposed':
      return `${fact.data.action.operation} ${fact.data.action.service}: ${actionFor(fact.data.action, language).reason}`;
    default:
      return tellAction(fact, zh);
  }
}

type ActionFact = Exclude<
  IncidentFact,
  {
    type:
      | 'gateway.received'
      | 'alert.normalized'
      | 'incident.created'
      | 'incident.updated'
      | 'incident.closed'
      | 'evidence.collected'
      | 'rca.concluded'
      | 'rca.inconclusive'
      | 'action.proposed';
  }
>;

function tellAction(fact: ActionFact, zh: boolean): string {
  switch (fact.type) {
    case 'action.rehearsed':
      return `${fact.data.allowed ? '' : zh ? '不允许:' : 'not allowed: '}${fact.data.preview}`;
    case 'checkpoint.created':
      return `${fact.data.checkpoint} (${fact.data.digest.slice(0, 12)})`;
    case 'approval.requested':
      return zh
        ? `${fact.data.approval},有效至 ${showInstant(fact.data.expiresAt)}`
        : `${fact.data.approval}, until ${showInstant(fact.data.expiresAt)}`;
    case 'approval.granted':
    case 'approval.denied':
      return zh
        ? `${fact.data.approval},${fact.data.by} 经由 ${fact.data.channel}`
        : `${fact.data.approval} by ${fact.data.by} through ${fact.data.channel}`;
    case 'approval.expired':
      return fact.data.approval;
    case 'approval.refused':
      return `${fact.data.approval}, ${fact.data.by}: ${fact.data.why}`;
    case 'execution.rehearsed':
      if (zh) return fact.data.same ? '与批准时一致' : '与批准时不同';
      return fact.data.same ? 'the same as what was approved' : 'no longer what was approved';
    case 'execution.refused':
      return fact.data.why;
    case 'execution.started':
      return `${fact.data.executor} (${fact.data.key})`;
    case 'execution.finished':
      return `${fact.data.execution.status}: ${fact.data.execution.detail}`;
    case 'recovery.verified':
    case 'recovery.failed':
      return `${fact.data.recovery.status}: ${fact.data.recovery.checks.map(({ summary }) => summary).join('; ')}`;
    case 'lesson.recorded':
      return Object.entries(fact.data.lesson)
        .map(([name, value]) => `${name} ${Array.isArray(value) ? value.length : value}`)
        .join(', ');
  }
}
