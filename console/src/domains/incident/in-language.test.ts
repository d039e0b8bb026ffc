import { expect, it } from 'vitest';
import type { Incident, IncidentFact, ProposedAction } from '#spec/data';
import { factInLanguage, inLanguage } from './in-language.ts';

const action: ProposedAction = {
  id: 'act_1',
  operation: 'restart_deployment',
  service: 'web',
  params: {},
  risk: 'destructive',
  reason: '重启 web',
  evidence: [],
  confirmTwice: false,
  separateApprover: false,
  rules: [],
  said: { en: { reason: 'Restart web' } },
};
const window = { start: '2026-03-01T12:00:00Z', end: '2026-03-01T12:15:00Z' };
const evidence = { kind: 'metric' as const, query: 'q', window, score: 1 };
const incident: Incident = {
  id: 'inc_1',
  state: 'watching',
  severity: 'P2',
  title: 'web fails',
  services: ['web'],
  source: 'cli',
  startsAt: window.start,
  alerts: 1,
  firing: 1,
  round: 1,
  createdAt: 1,
  updatedAt: 1,
  action,
  alternatives: [{ ...action, id: 'act_2' }],
  rca: {
    status: 'concluded',
    hypotheses: [
      { category: 'crash_loop', confidence: 1, supports: [], refutes: [], why: 'so', said: { zh: '如此' } },
    ],
    evidence: [
      { ...evidence, id: 'ev_1', summary: 'errors rose', said: { zh: '错误上升' } },
      { ...evidence, id: 'ev_2', summary: 'of an old record' },
    ],
    missing: [],
  },
};

it('shows sentences as the reader reads, and old records as they are', () => {
  const zh = inLanguage(incident, 'zh');
  expect(zh.rca?.evidence.map(({ summary }) => summary)).toEqual(['错误上升', 'of an old record']);
  expect(zh.rca?.hypotheses[0]?.why).toBe('如此');
  expect(zh.action?.reason).toBe('重启 web');
  const en = inLanguage(incident, 'en');
  expect(en.rca).toEqual(incident.rca);
  expect([en.action?.reason, en.alternatives?.[0]?.reason]).toEqual(['Restart web', 'Restart web']);
  expect(inLanguage({ ...incident, tried: [action] }, 'en').tried?.[0]?.reason).toBe('Restart web');
});

it('shows what happened as the reader reads', () => {
  const at = '2026-03-01T12:00:00Z';
  const fact: IncidentFact = {
    id: 'f',
    seq: 1,
    at,
    stream: 'inc_1',
    type: 'action.proposed',
    data: { action },
  };
  expect(factInLanguage(fact, 'en', undefined)).toMatchObject({
    data: { action: { reason: 'Restart web' } },
  });
  expect(factInLanguage(fact, 'zh', undefined)).toMatchObject({ data: { action: { reason: '重启 web' } } });
});

it('shows a cause that was found as the reader reads, as long as its hypothesis is known', () => {
  const fact = (summary: string): IncidentFact => ({
    id: 'f',
    seq: 1,
    at: window.start,
    stream: 'inc_1',
    type: 'rca.concluded',
    data: { round: 1, summary, confidence: 1 },
  });
  const shown = (summary: string, language: 'en' | 'zh') =>
    factInLanguage(fact(summary), language, incident.rca).data;
  expect(shown('crash_loop: web: so', 'zh')).toMatchObject({ summary: 'crash_loop: web: 如此' });
  expect(shown('crash_loop: web: so', 'en')).toMatchObject({ summary: 'crash_loop: web: so' });
  expect(shown('crash_loop: web: of an old round', 'zh')).toMatchObject({
    summary: 'crash_loop: web: of an old round',
  });
});
