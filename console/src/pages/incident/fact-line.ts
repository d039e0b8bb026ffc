import type { Execution, IncidentFact } from '../../domains/incident/records.ts';
import type { Formats } from '../../domains/format/formats.ts';
import type { Tone } from '../../ui/classes.ts';
import { checkLine, type CheckWords } from './check-line.ts';

interface Words extends CheckWords {
  readonly execution: Readonly<Record<Execution['status'], string>>;
  readonly recovered: string;
  readonly gone: string;
  readonly firing: string;
  readonly resolved: string;
  collected(series: number, lines: number, spans: number, changes: number): string;
}

/** What a fact says beyond its name, in one line. */
export function factLine({ type, data }: IncidentFact, formats: Formats, words: Words): string {
  switch (type) {
    case 'gateway.received':
      return data.source;
    case 'alert.normalized':
      return `${data.alert.severity} ${words[data.alert.status]} · ${data.alert.title}`;
    case 'incident.created':
      return data.title;
    case 'incident.updated':
      return data.what;
    case 'incident.closed':
      if (data.state === 'recovered') return words.recovered;
      return data.state === 'resolved' ? words.gone : data.why;
    case 'evidence.collected':
      return [
        words.collected(data.series, data.lines, data.spans, data.changes),
        formats.duration(data.ms),
        ...data.gaps,
      ].join(' · ');
    case 'rca.concluded':
      return `${formats.percent(data.confidence)} · ${data.summary}`;
    case 'rca.inconclusive':
      return [data.summary, ...data.missing].join(' · ');
    case 'rca.read':
      return data.reading.said;
    case 'action.proposed':
      return data.action.reason;
    case 'action.rehearsed':
      return data.preview;
    case 'checkpoint.created':
      return data.checkpoint;
    case 'approval.requested':
    case 'approval.expired':
      return data.approval;
    case 'approval.granted':
    case 'approval.denied':
      return `${data.by} · ${data.channel}`;
    case 'approval.refused':
      return `${data.by} · ${data.why}`;
    case 'execution.rehearsed':
      return '';
    case 'execution.refused':
      return data.why;
    case 'execution.started':
      return data.executor;
    case 'execution.finished':
      return executionLine(data.execution, formats, words);
    case 'recovery.verified':
    case 'recovery.failed':
      return data.recovery.checks.map((check) => checkLine(check, formats, words)).join(' · ');
    case 'lesson.recorded':
      return [data.lesson.skill, data.lesson.workflow].filter(Boolean).join(' · ');
  }
}

/** What an executor says matters where it did not go well. */
function executionLine({ status, detail, startedAt, endedAt }: Execution, formats: Formats, words: Words) {
  return [words.execution[status], status === 'done' ? formats.duration(endedAt - startedAt) : detail].join(
    ' · ',
  );
}

const TONES: Partial<Record<IncidentFact['type'], Tone>> = {
  'incident.created': 'bad',
  'incident.closed': 'ok',
  'rca.concluded': 'info',
  'rca.inconclusive': 'warn',
  'approval.requested': 'warn',
  'approval.granted': 'ok',
  'approval.denied': 'bad',
  'approval.expired': 'warn',
  'approval.refused': 'bad',
  'execution.refused': 'bad',
  'execution.finished': 'info',
  'recovery.verified': 'ok',
  'recovery.failed': 'bad',
};

export const factTone = (type: IncidentFact['type']): Tone => TONES[type] ?? 'quiet';
