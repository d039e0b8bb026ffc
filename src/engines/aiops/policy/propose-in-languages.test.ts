import { expect, it } from 'vitest';
import type { ProposalInput } from './propose-action.ts';
import { proposeAction } from './propose-action.ts';
import { proposeInLanguages } from './propose-in-languages.ts';
import { sampleIncident, sampleRca } from './sample-case.ts';

const WHY = { why: 'it began with it', said: { zh: '与它同时开始' } };
const input = (more: Partial<ProposalInput> = {}): ProposalInput => ({
  incident: sampleIncident(),
  rca: sampleRca({ category: 'crash_loop', ...WHY }),
  changes: [],
  rules: [],
  operations: ['restart_deployment'],
  now: 0,
  zone: 'UTC',
  ...more,
});

it('gives the reasons in the language of the home, and in the others beside them', () => {
  const { action } = proposeInLanguages(input({ language: 'zh' }));
  expect(action?.reason).toBe('重启 payment-service:与它同时开始');
  expect(action?.said).toEqual({ en: { reason: 'Restart payment-service: it began with it' } });
  const english = proposeInLanguages(input());
  expect(english.action?.said).toEqual({ zh: { reason: '重启 payment-service:与它同时开始' } });
});

it('says in every language why something is only rehearsed, and proposes the same as before', () => {
  const { action, alternatives } = {
    alternatives: [],
    ...proposeInLanguages(input({ operations: [] })),
  };
  expect(action?.said?.zh?.dryRunOnly).toContain('不允许执行 restart_deployment');
  const plain = { alternatives: [], ...proposeAction(input({ operations: [] })) };
  const unsaid = [action, ...alternatives].map((one) => one && { ...one, said: undefined });
  expect(unsaid).toEqual([plain.action, ...plain.alternatives]);
  expect(alternatives.length).toBeGreaterThan(0);
  expect(alternatives.every(({ said }) => said?.zh !== undefined)).toBe(true);
});

it('proposes nothing where there is nothing to propose', () => {
  const incident = sampleIncident({ services: [] });
  delete incident.service;
  const rca = { ...sampleRca({ category: 'crash_loop' }), hypotheses: [] };
  expect(proposeInLanguages(input({ incident, rca })).action).toBeUndefined();
});
