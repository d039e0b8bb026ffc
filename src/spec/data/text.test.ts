import { expect, it } from 'vitest';
import { Evidence, FACT_SENTENCES, ProposedAction } from './index.ts';

it('reads the sentences that records of earlier versions kept beside each other', () => {
  const window = { start: '2026-03-01T12:00:00Z', end: '2026-03-01T12:10:00Z' };
  const evidence = { id: 'ev_log_1', kind: 'log', query: 'q', window, score: 1 };
  expect(Evidence.parse({ ...evidence, summary: 'it rose', said: { zh: '上升' } })).toEqual({
    ...evidence,
    summary: { en: 'it rose', zh: '上升' },
  });
  expect(Evidence.parse({ ...evidence, summary: 'it rose' }).summary).toEqual({
    en: 'it rose',
    zh: 'it rose',
  });
  const action = {
    id: 'act_1',
    operation: 'observe',
    service: 'web',
    params: {},
    risk: 'read_only',
    evidence: [],
    confirmTwice: false,
    separateApprover: false,
    rules: [],
  };
  const chinese = { ...action, reason: '观察', dryRunOnly: '不允许', said: { en: { reason: 'Watch' } } };
  expect(ProposedAction.parse(chinese)).toEqual({
    ...action,
    reason: { en: 'Watch', zh: '观察' },
    dryRunOnly: { en: '不允许', zh: '不允许' },
  });
  expect(FACT_SENTENCES['incident.closed']?.parse({ state: 'closed', why: 'a drill' })).toEqual({
    state: 'closed',
    why: { en: 'a drill', zh: 'a drill' },
  });
});
