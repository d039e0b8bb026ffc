import { asText } from '#kit/text';
import type { Evidence, Execution, Hypothesis, Incident, Rca } from '#spec/data';
import { moved } from '../../../../src/engines/aiops/rca/words.ts';

const WINDOW = { start: '2026-03-01T12:00:00Z', end: '2026-03-01T12:15:00Z' };

export const metricEvidence = (
  id: string,
  metric: string,
  service: string,
  baseline: number,
  during: number,
): Evidence => ({
  id,
  kind: 'metric',
  service,
  summary: moved({ metric, service }, { before: baseline, during }),
  query: `${metric}{service="${service}"}`,
  window: WINDOW,
  baseline,
  during,
  score: 0.8,
});

export const sampleIncident = (parts: Partial<Incident> = {}): Incident => ({
  id: 'inc_1',
  title: 'payment-service 503 rate is high',
  severity: 'P1',
  state: 'investigating',
  service: 'payment-service',
  services: ['payment-service'],
  source: 'alertmanager',
  startsAt: '2026-03-01T12:02:00Z',
  alerts: 1,
  firing: 1,
  round: 1,
  createdAt: Date.parse('2026-03-01T12:02:10Z'),
  updatedAt: Date.parse('2026-03-01T12:03:00Z'),
  ...parts,
});

export const sampleRca = (
  first: Partial<Hypothesis> & Pick<Hypothesis, 'category'>,
  parts: Partial<Rca> = {},
): Rca => ({
  status: 'concluded',
  hypotheses: [
    {
      service: 'payment-service',
      confidence: 0.9,
      supports: ['ev_metric_1'],
      refutes: [],
      why: { en: 'it began with it', zh: '与它同时开始' },
      ...first,
    },
  ],
  evidence: [metricEvidence('ev_metric_1', 'errors_503_per_second', 'payment-service', 0.1, 9)],
  missing: [],
  ...parts,
});

export const SAMPLE_EXECUTION: Execution = {
  status: 'done',
  executor: 'x',
  key: 'k',
  startedAt: 0,
  endedAt: 1,
  detail: asText(''),
  reconciled: false,
};
