import type { IncidentFact } from '#spec/data';
import type { FinishedSpan, SpanAttributes } from '#spec/ports';
import { spanIdOf, traceIdOf } from './open-tracer.ts';

/** A span of an incident, and the fact with which it ended. */
export interface IncidentSpan {
  readonly seq: number;
  readonly span: FinishedSpan;
}

interface Stage {
  readonly name: string;
  /** Where it is not the end of the stage before. */
  readonly startMs?: number | undefined;
  readonly attributes: SpanAttributes;
  readonly error?: string | undefined;
}

/** Facts that a span ends with. */
export const ENDS_SPAN: ReadonlySet<IncidentFact['type']> = new Set<IncidentFact['type']>([
  'evidence.collected',
  'rca.concluded',
  'rca.inconclusive',
  'action.proposed',
  'action.rehearsed',
  'checkpoint.created',
  'approval.granted',
  'approval.denied',
  'approval.expired',
  'execution.rehearsed',
  'execution.refused',
  'execution.finished',
  'recovery.verified',
  'recovery.failed',
  'lesson.recorded',
  'incident.closed',
]);

/**
 * The trace of an incident, as far as its facts go: a span from its opening to its end, and one for each stage of each
 * round. The same facts give the same ids, in whichever process.
 */
export function incidentSpans(incident: string, facts: readonly IncidentFact[]): readonly IncidentSpan[] {
  const traceId = traceIdOf(incident);
  const rootId = spanIdOf(incident);
  const created = facts.find(({ type }) => type === 'incident.created') ?? facts[0];
  if (!created) return [];
  const opened = Date.parse(created.at);
  const spans: IncidentSpan[] = [];
  let since = opened;
  let asked: number | undefined;
  let started: number | undefined;
  let rounds = 0;
  let closed = false;

  for (const fact of facts) {
    const { seq, type } = fact;
    const endMs = Date.parse(fact.at);
    const base = { traceId, kind: 'internal', endMs } as const;
    if (type === 'evidence.collected') rounds++;
    if (type === 'approval.requested') asked = since = endMs;
    if (type === 'execution.started') started = since = endMs;
    if (type === 'incident.closed') {
      if (closed) continue;
      closed = true;
      const attributes = rootAttributes(incident, created, { state: fact.data.state, rounds });
      spans.push({ seq, span: { ...base, spanId: rootId, name: 'incident', startMs: opened, attributes } });
      since = endMs;
      continue;
    }
    const stage = stageOf(fact, { asked, started });
    if (!stage) continue;
    const startMs = Math.min(endMs, Math.max(opened, stage.startMs ?? since));
    spans.push({
      seq,
      span: {
        ...base,
        spanId: spanIdOf(`${incident} ${seq}`),
        parentId: rootId,
        name: `incident.${stage.name}`,
        startMs,
        attributes: { 'hermes.incident.id': incident, ...stage.attributes },
        error: stage.error,
      },
    });
    since = endMs;
  }
  return spans;
}

function rootAttributes(
  incident: string,
  created: IncidentFact,
  { state, rounds }: { readonly state: string; readonly rounds: number },
): SpanAttributes {
  const { severity, service } =
    created.type === 'incident.created' ? created.data : { severity: undefined, service: undefined };
  return {
    'hermes.incident.id': incident,
    'hermes.incident.state': state,
    'hermes.incident.severity': severity,
    'hermes.incident.service': service,
    'hermes.incident.rounds': rounds,
  };
}

interface Moments {
  readonly asked: number | undefined;
  readonly started: number | undefined;
}

function stageOf(fact: IncidentFact, { asked, started }: Moments): Stage | undefined {
  const outcome = (said: string): SpanAttributes => ({ 'hermes.outcome': said });
  switch (fact.type) {
    case 'evidence.collected': {
      const { round, series, lines, spans, changes, gaps, ms } = fact.data;
      const attributes = {
        'hermes.round': round,
        'hermes.evidence.series': series,
        'hermes.evidence.lines': lines,
        'hermes.evidence.spans': spans,
        'hermes.evidence.changes': changes,
        'hermes.evidence.gaps': gaps.length,
      };
      return { name: 'collect', startMs: Date.parse(fact.at) - ms, attributes };
    }
    case 'rca.concluded': {
      const { round, confidence } = fact.data;
      const attributes = { ...outcome('concluded'), 'hermes.round': round, 'hermes.confidence': confidence };
      return { name: 'analyse', attributes };
    }
    case 'rca.inconclusive': {
      const { round, missing } = fact.data;
      const attributes = {
        ...outcome('inconclusive'),
        'hermes.round': round,
        'hermes.missing': missing.length,
      };
      return { name: 'analyse', attributes };
    }
    case 'action.proposed': {
      const { operation, service, risk } = fact.data.action;
      const attributes = { 'hermes.operation': operation, 'hermes.service': service, 'hermes.risk': risk };
      return { name: 'propose', attributes };
    }
    case 'action.rehearsed':
      return { name: 'rehearse', attributes: outcome(fact.data.allowed ? 'allowed' : 'not_allowed') };
    case 'checkpoint.created':
      return { name: 'checkpoint', attributes: {} };
    case 'approval.granted':
    case 'approval.denied': {
      const said = fact.type === 'approval.granted' ? 'granted' : 'denied';
      const attributes = { ...outcome(said), 'hermes.channel': fact.data.channel };
      return { name: 'approval', startMs: asked, attributes };
    }
    case 'approval.expired':
      return { name: 'approval', startMs: asked, attributes: outcome('expired') };
    case 'execution.rehearsed':
      return { name: 'rehearse', attributes: outcome(fact.data.same ? 'same' : 'changed') };
    case 'execution.refused':
      return { name: 'execute', startMs: started, attributes: outcome('refused'), error: 'refused' };
    case 'execution.finished': {
      const { status, executor, reconciled, startedAt } = fact.data.execution;
      const attributes = {
        ...outcome(status),
        'hermes.executor': executor,
        'hermes.reconciled': reconciled,
      };
      const error = status === 'done' ? undefined : status;
      return { name: 'execute', startMs: started ?? startedAt, attributes, error };
    }
    case 'recovery.verified':
    case 'recovery.failed': {
      const { status } = fact.data.recovery;
      const error = status === 'recovered' ? undefined : status;
      return { name: 'verify', attributes: outcome(status), error };
    }
    case 'lesson.recorded':
      return { name: 'learn', attributes: { 'hermes.lesson.memories': fact.data.lesson.memories.length } };
    default:
      return undefined;
  }
}
