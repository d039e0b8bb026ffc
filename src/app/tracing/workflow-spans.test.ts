import { expect, it } from 'vitest';
import type { WorkflowEvent } from '#engines/skills';
import type { FinishedSpan } from '#spec/ports';
import { workflowSpans } from './workflow-spans.ts';

const EVENTS: readonly WorkflowEvent[] = [
  { run: 'run_1', at: 0, type: 'started', skill: 'tidy', version: '1', steps: 2, dryRun: false },
  { run: 'run_1', at: 5, type: 'step.ended', step: 's1', name: 'One', ok: true, ms: 4, summary: 'words' },
  {
    run: 'run_1',
    at: 9,
    type: 'step.ended',
    step: 's2',
    name: 'Two',
    ok: false,
    ms: 3,
    summary: 'words',
    kind: 'timeout',
  },
  { run: 'run_1', at: 10, type: 'finished', state: 'failed', text: 'words' },
];

it('a run of a workflow is a trace, which another process goes on with', () => {
  const told: FinishedSpan[] = [];
  EVENTS.forEach(workflowSpans((span) => told.push(span)));
  expect(told.map(({ name, startMs, endMs, error }) => [name, startMs, endMs, error])).toEqual([
    ['workflow.step', 1, 5, undefined],
    ['workflow.step', 6, 9, 'timeout'],
    ['workflow tidy', 0, 10, 'failed'],
  ]);
  const [first, second, root] = told;
  expect(root).toMatchObject({ spanId: first?.parentId, traceId: first?.traceId });
  expect(JSON.stringify(told)).not.toContain('words');

  const resumed: FinishedSpan[] = [];
  EVENTS.slice(2).forEach(workflowSpans((span) => resumed.push(span)));
  expect(resumed).toEqual([second]);
});
