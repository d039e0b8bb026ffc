import { asText } from '#kit/text';
import type { Alert, EvidenceResult, Incident, IncidentFact, IncidentFacts } from '#spec/data';
import type { ReportRecords } from '../../../../src/engines/aiops/report/report-input.ts';

const START = Date.parse('2026-03-01T12:00:00Z');
const at = (seconds: number): string => new Date(START + seconds * 1000).toISOString();

/** A rollback that helped, with every part filled in. `hostile` stands wherever somebody else chooses the text. */
export function scriptedIncident(hostile = 'plain words'): ReportRecords {
  const incident: Incident = {
    id: 'inc_1',
    title: `payments fail: ${hostile}`,
    severity: 'P1',
    state: 'recovered',
    note: asText(hostile),
    service: 'payments',
    services: ['payments', hostile],
    source: 'alertmanager',
    startsAt: at(0),
    alerts: 2,
    firing: 0,
    round: 1,
    rca: {
      status: 'concluded',
      hypotheses: [
        {
          category: 'deploy_regression',
          service: 'payments',
          change: 'deploy-7',
          undo: true,
          confidence: 0.91,
          supports: ['ev_metric_1', 'ev_change_1', 'ev_log_1'],
          refutes: ['ev_trace_1'],
          why: asText(hostile),
        },
        {
          category: 'database_latency',
          service: 'ledger-db',
          confidence: 0.2,
          supports: ['ev_trace_1'],
          refutes: ['ev_metric_2'],
          why: asText('slower queries'),
        },
      ],
      evidence: [
        evidence('ev_metric_1', 'metric', hostile, {
          baseline: 0.002,
          during: 0.47,
          link: 'https://user:hunter22@prom.example/graph?q=1',
        }),
        evidence('ev_metric_2', 'metric', 'latency of ledger-db did not change', {
          baseline: 8.1,
          during: 8.3,
        }),
        evidence('ev_change_1', 'change', hostile, {}),
        evidence('ev_log_1', 'log', `wrote "${hostile}" 34 times`, {
          baseline: 0,
          during: 34,
          link: 'javascript:alert(1)',
        }),
        evidence('ev_trace_1', 'trace', 'payments waits for ledger-db', { baseline: 4, during: 9 }),
      ],
      missing: [asText(`no logs of web ${hostile}`)],
      nextQuery: asText(hostile),
    },
    reading: {
      model: hostile,
      round: 1,
      outcome: 'answered',
      said: asText(hostile),
      shown: [{ category: 'deploy_regression', service: 'payments', change: 'deploy-7' }],
      verdict: { category: 'deploy_regression', service: 'payments', change: 'deploy-7' },
      evidence: ['ev_metric_1'],
      quote: hostile,
      query: asText(hostile),
    },
    explanation: `First paragraph ${hostile}\n\nSecond paragraph`,
    priors: [
      {
        text: hostile,
        source: 'incident',
        ref: 'inc_0',
        score: 0.7,
        checked: ['deploys'],
        fixedBy: 'rollback',
      },
    ],
    action: {
      id: 'act_1',
      operation: 'rollback_canary',
      service: 'payments',
      params: { from: 'v2.3.1', to: 'v2.3.0', note: hostile },
      risk: 'destructive',
      reason: asText(hostile),
      evidence: ['ev_metric_1', 'ev_change_1'],
      confirmTwice: true,
      separateApprover: true,
      rules: ['peak-hours'],
    },
    rehearsal: {
      allowed: true,
      preview: `argocd app rollback payments v2.3.0 # ${hostile}`,
      diff: `--- before\n+++ after\n@@ -1 +1 @@\n-image: payments:v2.3.1 ${hostile}\n+image: payments:v2.3.0\n`,
      state: {},
    },
    checkpoint: { id: 'chk_1', at: START + 200_000, digest: 'f00dfeedf00dfeedf00d', state: {} },
    approval: 'appr_1',
    execution: {
      status: 'done',
      executor: 'argocd',
      key: 'key-1',
      startedAt: START + 300_000,
      endedAt: START + 304_000,
      detail: asText(hostile),
      reconciled: false,
    },
    recovery: {
      status: 'recovered',
      window: { start: at(400), end: at(460) },
      at: START + 460_000,
      checks: [
        {
          dimension: 'errors',
          ok: true,
          usual: 0.002,
          during: 0.47,
          after: 0.0021,
          unit: 'share',
          summary: asText(hostile),
          query: 'errors{}',
        },
        { dimension: 'trace_errors', unit: 'share', summary: asText('nothing to look at'), query: 'spans{}' },
      ],
    },
    lesson: { memories: ['mem_1'], skill: 'runbooks/payments-rollback', knowledge: hostile },
    createdAt: START + 60_000,
    updatedAt: START + 470_000,
    closedAt: START + 470_000,
  };
  const alerts = [alert('web', hostile), alert('payments', hostile)];
  const members = alerts.map(({ title, service, severity, startsAt }, index) => ({
    name: title,
    ...(service === undefined ? {} : { service }),
    severity,
    alerts: 1,
    firing: 1,
    firstAt: startsAt,
    lastAt: startsAt,
    ...(index === 0 ? {} : { why: asText(`web calls ${service} ${hostile}`) }),
  }));
  return {
    incident,
    facts: factsOf(incident, alerts),
    alerts,
    members,
    results: resultsOf(hostile),
    language: 'en',
  };
}

type Kind = NonNullable<Incident['rca']>['evidence'][number];

const evidence = (id: string, kind: Kind['kind'], summary: string, more: Partial<Kind>): Kind => ({
  id,
  kind,
  summary: asText(summary),
  query: `${kind}{service="payments", q=\`${summary}\`}`,
  source: 'prometheus',
  window: { start: at(-600), end: at(300) },
  score: 0.5,
  ...more,
});

const alert = (service: string, hostile: string): Alert => ({
  fingerprint: `fp-${service}`,
  source: 'alertmanager',
  status: 'resolved',
  title: hostile,
  severity: 'P1',
  service,
  labels: { alertname: hostile, [hostile]: 'value' },
  annotations: { summary: hostile },
  startsAt: at(30),
  endsAt: at(450),
});

function resultsOf(hostile: string): Record<string, EvidenceResult> {
  const times = Array.from({ length: 60 }, (_, index) => START / 1000 - 900 + index * 30);
  const during = (time: number): boolean => time * 1000 >= START && time * 1000 < START + 304_000;
  const series = (metric: string, usual: number, bad: number) => ({
    service: 'payments',
    metric,
    times: times.filter((_, index) => index < 10 || index > 15),
    values: times.filter((_, index) => index < 10 || index > 15).map((time) => (during(time) ? bad : usual)),
  });
  return {
    ev_metric_1: {
      series: [
        series('errors_503_per_second', 0.2, 41),
        series(hostile, 1, 2),
        series('c', 3, 4),
        series('d', 5, 6),
        series('e', 7, 8),
      ],
    },
    ev_metric_2: { series: [series('latency_p95_ms', 8.1, 8.3)] },
    ev_change_1: {
      changes: [
        { id: `deploy-7 ${hostile}`, kind: 'deploy', service: 'payments', time: at(-60), summary: hostile },
      ],
    },
    ev_log_1: { lines: [{ time: START / 1000, service: 'payments', message: hostile }] },
  };
}

function factsOf(incident: Incident, alerts: readonly Alert[]): IncidentFact[] {
  const facts: IncidentFact[] = [];
  const add = <K extends keyof IncidentFacts>(seconds: number, type: K, data: IncidentFacts[K]) =>
    facts.push({
      id: `f${facts.length}`,
      seq: facts.length + 1,
      at: at(seconds),
      stream: incident.id,
      type,
      data,
    } as IncidentFact);
  add(60, 'gateway.received', { source: 'alertmanager', alerts: 2 });
  for (const each of alerts) add(60, 'alert.normalized', { alert: each });
  add(60, 'incident.created', { title: incident.title, severity: 'P1', service: 'payments' });
  add(62, 'evidence.collected', {
    round: 1,
    series: 9,
    lines: 34,
    spans: 12,
    changes: 1,
    gaps: [asText('loki: time-out')],
    ms: 812,
  });
  add(63, 'rca.concluded', { round: 1, summary: asText(incident.title), confidence: 0.91 });
  if (incident.reading) add(63, 'rca.read', { reading: incident.reading });
  if (incident.action) add(63, 'action.proposed', { action: incident.action });
  add(64, 'approval.requested', { approval: 'appr_1', digest: 'd', expiresAt: START + 3_600_000 });
  add(290, 'approval.refused', { approval: 'appr_1', by: 'mallory', why: asText('asked for it') });
  add(299, 'approval.granted', { approval: 'appr_1', by: 'ada', channel: 'feishu' });
  if (incident.execution) add(304, 'execution.finished', { execution: incident.execution });
  if (incident.recovery) add(460, 'recovery.verified', { recovery: incident.recovery });
  add(470, 'incident.closed', { state: 'recovered', why: asText(incident.title) });
  return facts;
}
