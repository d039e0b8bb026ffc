import { describe, expect, it } from 'vitest';
import type { IncidentFact, IncidentFacts } from '#spec/data';
import { incidentSpans } from './incident-spans.ts';

const START = Date.parse('2026-11-15T10:00:00Z');

/** Facts at these seconds. */
function story(
  ...told: readonly { [K in keyof IncidentFacts]: [number, K, object] }[keyof IncidentFacts][]
): IncidentFact[] {
  return told.map(
    ([second, type, data], index) =>
      ({
        id: `f${index}`,
        seq: index + 1,
        at: new Date(START + second * 1_000).toISOString(),
        stream: 'inc_1',
        type,
        data,
      }) as IncidentFact,
  );
}

const STORY = story(
  [0, 'gateway.received', { source: 'alertmanager', alerts: 1 }],
  [0, 'incident.created', { title: 'Card number 4111 fails', severity: 'P1', service: 'payment' }],
  [5, 'evidence.collected', { round: 1, series: 9, lines: 8, spans: 7, changes: 1, gaps: ['x'], ms: 3_000 }],
  [6, 'rca.inconclusive', { round: 1, summary: 'secret words', missing: ['logs'] }],
  [20, 'evidence.collected', { round: 2, series: 9, lines: 8, spans: 7, changes: 1, gaps: [], ms: 2_000 }],
  [21, 'rca.concluded', { round: 2, summary: 'secret words', confidence: 0.9 }],
  [
    21,
    'action.proposed',
    { action: { operation: 'rollback_canary', service: 'payment', risk: 'safe_write' } },
  ],
  [22, 'action.rehearsed', { action: 'a', preview: 'kubectl', allowed: true }],
  [23, 'approval.requested', { approval: 'apr_1', digest: 'd', expiresAt: 0 }],
  [83, 'approval.granted', { approval: 'apr_1', by: 'user:anna', channel: 'user' }],
  [84, 'execution.started', { action: 'a', key: 'k', executor: 'demo_file' }],
  [
    90,
    'execution.finished',
    {
      execution: {
        status: 'failed',
        executor: 'demo_file',
        startedAt: 0,
        endedAt: 0,
        detail: 'words',
        reconciled: true,
      },
    },
  ],
  [150, 'recovery.failed', { recovery: { status: 'not_recovered', checks: [] } }],
  [160, 'incident.closed', { state: 'closed', why: 'words of a person' }],
  [161, 'lesson.recorded', { lesson: { memories: ['m'] } }],
);

describe('the trace of an incident', () => {
  it('has a span for each stage of each round, within the one of the incident', () => {
    const spans = incidentSpans('inc_1', STORY).map(({ span }) => span);
    const shown = spans.map(({ name, startMs, endMs, error }) =>
      [name, (startMs - START) / 1_000, (endMs - START) / 1_000, error]
        .filter((part) => part !== undefined)
        .join(' '),
    );
    expect(shown).toEqual([
      'incident.collect 2 5',
      'incident.analyse 5 6',
      'incident.collect 18 20',
      'incident.analyse 20 21',
      'incident.propose 21 21',
      'incident.rehearse 21 22',
      'incident.approval 23 83',
      'incident.execute 84 90 failed',
      'incident.verify 90 150 not_recovered',
      'incident 0 160',
      'incident.learn 160 161',
    ]);
    const root = spans.find(({ name }) => name === 'incident');
    expect(root?.parentId).toBeUndefined();
    expect(root?.attributes).toEqual({
      'hermes.incident.id': 'inc_1',
      'hermes.incident.state': 'closed',
      'hermes.incident.severity': 'P1',
      'hermes.incident.service': 'payment',
      'hermes.incident.rounds': 2,
    });
    for (const span of spans) {
      expect(span.traceId).toBe(root?.traceId);
      if (span !== root) expect(span.parentId).toBe(root?.spanId);
    }
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
    expect(spans[3]?.attributes).toMatchObject({
      'hermes.outcome': 'concluded',
      'hermes.round': 2,
      'hermes.confidence': 0.9,
    });
  });

  it('tells nothing that anybody wrote, and nobody by name', () => {
    expect(JSON.stringify(incidentSpans('inc_1', STORY))).not.toMatch(/4111|words|kubectl|anna/);
  });

  it('is the same wherever it is made, also of fewer facts', () => {
    const all = incidentSpans('inc_1', STORY);
    const until = incidentSpans('inc_1', STORY.slice(0, 6));
    expect(until).toEqual(all.slice(0, until.length));
    expect(incidentSpans('inc_2', STORY)[0]?.span.traceId).not.toBe(all[0]?.span.traceId);
  });
});
