import type { Language } from '#kit/language';
import type { Spoken } from '#kit/text';
import type { IncidentFact as StoredFact } from '#spec/data';
import { RECOVERIES, STATES } from '../names.ts';
import { showNumber } from '../rca/show-number.ts';
import type { Block, Line } from './block.ts';
import { showInstant, wordsOf } from './words.ts';

type IncidentFact = Spoken<StoredFact>;

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

const WORDS = {
  en: {
    received: (source: string, alerts: number) => `${alerts} alerts from ${source}`,
    fires: 'firing',
    resolved: 'resolved',
    collected: (round: number, counts: readonly number[], ms: number) =>
      `round ${round}: ${counts[0]} series, ${counts[1]} log lines, ${counts[2]} spans, ${counts[3]} changes in ${ms} ms`,
    notAllowed: 'not allowed: ',
    requested: (approval: string, until: string) => `${approval}, until ${until}`,
    decided: (approval: string, by: string, channel: string) => `${approval} by ${by} through ${channel}`,
    same: 'the same as what was approved',
    changed: 'no longer what was approved',
    done: 'done',
    refused: 'refused',
    failed: 'failed',
    unknown: 'unknown',
  },
  zh: {
    received: (source: string, alerts: number) => `${source} 送来 ${alerts} 条告警`,
    fires: '触发',
    resolved: '解除',
    collected: (round: number, counts: readonly number[], ms: number) =>
      `第 ${round} 轮:${counts[0]} 条序列,${counts[1]} 行日志,${counts[2]} 个跨度,${counts[3]} 个变更,用时 ${ms} ms`,
    notAllowed: '不允许:',
    requested: (approval: string, until: string) => `${approval},有效至 ${until}`,
    decided: (approval: string, by: string, channel: string) => `${approval},${by} 经由 ${channel}`,
    same: '与批准时一致',
    changed: '与批准时不同',
    done: '已完成',
    refused: '被拒绝',
    failed: '失败',
    unknown: '未知',
  },
} satisfies Record<Language, object>;

/** What a fact says, in one line. */
function tell(fact: IncidentFact, language: Language): string {
  const words = WORDS[language];
  switch (fact.type) {
    case 'gateway.received':
      return words.received(fact.data.source, fact.data.alerts);
    case 'alert.normalized':
      return `${fact.data.alert.status === 'firing' ? words.fires : words.resolved}: ${fact.data.alert.title}`;
    case 'incident.created':
      return `${fact.data.severity} ${fact.data.title}`;
    case 'incident.updated':
      return fact.data.what;
    case 'incident.closed':
      return `${STATES[fact.data.state][language]}: ${fact.data.why}`;
    case 'evidence.collected': {
      const { round, series, lines, spans, changes, gaps, ms } = fact.data;
      const missing = gaps.length ? ` (${gaps.join('; ')})` : '';
      return `${words.collected(round, [series, lines, spans, changes], Math.round(ms))}${missing}`;
    }
    case 'rca.concluded':
      return `${fact.data.summary} (${showNumber(fact.data.confidence)})`;
    case 'rca.inconclusive':
      return [fact.data.summary, ...fact.data.missing].join('; ');
    case 'rca.read':
      return fact.data.reading.said;
    case 'action.proposed':
      return `${fact.data.action.operation} ${fact.data.action.service}: ${fact.data.action.reason}`;
    default:
      return tellAction(fact, language);
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
      | 'rca.read'
      | 'action.proposed';
  }
>;

function tellAction(fact: ActionFact, language: Language): string {
  const words = WORDS[language];
  switch (fact.type) {
    case 'action.rehearsed':
      return `${fact.data.allowed ? '' : words.notAllowed}${fact.data.preview}`;
    case 'checkpoint.created':
      return `${fact.data.checkpoint} (${fact.data.digest.slice(0, 12)})`;
    case 'approval.requested':
      return words.requested(fact.data.approval, showInstant(fact.data.expiresAt));
    case 'approval.granted':
    case 'approval.denied':
      return words.decided(fact.data.approval, fact.data.by, fact.data.channel);
    case 'approval.expired':
      return fact.data.approval;
    case 'approval.refused':
      return `${fact.data.approval}, ${fact.data.by}: ${fact.data.why}`;
    case 'execution.rehearsed':
      return fact.data.same ? words.same : words.changed;
    case 'execution.refused':
      return fact.data.why;
    case 'execution.started':
      return `${fact.data.executor} (${fact.data.key})`;
    case 'execution.finished':
      return `${words[fact.data.execution.status]}: ${fact.data.execution.detail}`;
    case 'recovery.verified':
    case 'recovery.failed': {
      const { status, checks } = fact.data.recovery;
      return `${RECOVERIES[status][language]}: ${checks.map(({ summary }) => summary).join('; ')}`;
    }
    case 'lesson.recorded':
      return Object.entries(fact.data.lesson)
        .map(([name, value]) => `${name} ${Array.isArray(value) ? value.length : value}`)
        .join(', ');
  }
}
