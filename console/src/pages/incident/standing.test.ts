import { expect, it } from 'vitest';
import type { IncidentFact } from '../../domains/incident/records.ts';
import { standing } from './standing.ts';
import { incidentText } from './text.ts';

const words = incidentText.zh.summary;
const facts = (...told: readonly (readonly [string, object])[]) =>
  told.map(([type, data]) => ({ type, data })) as unknown as IncidentFact[];
const note = 'as it was noted';

it('tells where an incident stands by what happened last', () => {
  const denied = ['approval.denied', { by: 'alex' }] as const;
  expect(standing({ note }, facts(denied), words)).toBe('alex 拒绝了该操作。');
  expect(standing({ note }, facts(denied, ['recovery.failed', {}]), words)).toBe(words.notEnded);
  const failed = ['execution.finished', { execution: { status: 'failed', detail: 'no route' } }] as const;
  expect(standing({ note }, facts(failed), words)).toBe('操作没有成功：no route');
});

it('keeps the note where nothing of that happened in this round, and is silent where there is none', () => {
  const done = ['execution.finished', { execution: { status: 'done', detail: '' } }] as const;
  expect(standing({ note }, facts(done), words)).toBe(note);
  expect(standing({ note }, facts(['recovery.failed', {}], ['rca.concluded', {}]), words)).toBe(note);
  expect(standing({}, facts(['recovery.failed', {}]), words)).toBeUndefined();
});
