import { expect, it } from 'vitest';
import { planGraph } from './plan-graph.ts';

const step = (id: string, batch: number, more: object = {}) => ({
  id,
  name: `step ${id}`,
  action: 'terminal',
  batch,
  needs: [] as string[],
  asks: [] as 'confirmation'[],
  ...more,
});
const lines = (edges: ReturnType<typeof planGraph>['edges']) =>
  edges.map(({ from, to, label }) => `${from}>${to}${label ? ` ${label}` : ''}`).toSorted();

it('leads from each group to the next, and names what is handed over', () => {
  const { edges } = planGraph([
    step('1', 1, { outputKey: 'disks' }),
    step('2', 2, { needs: ['disks'] }),
    step('3', 2),
    step('4', 3, { needs: ['disks'] }),
  ]);
  expect(lines(edges)).toEqual(['1>2 disks', '1>3', '1>4 disks', '2>4', '3>4']);
});

it('marks what asks before a run, and how it stands in one', () => {
  const steps = [step('1', 1, { asks: ['confirmation'] }), step('2', 2)];
  expect(planGraph(steps).nodes.map(({ tone }) => tone)).toEqual(['warn', 'quiet']);
  const states = new Map([
    ['1', 'done'],
    ['2', 'failed'],
  ] as const);
  expect(planGraph(steps, states).nodes.map(({ tone }) => tone)).toEqual(['ok', 'bad']);
});

it('takes no output of a step that is not there', () => {
  expect(planGraph([step('1', 1, { needs: ['nothing'], outputKey: 'own' })]).edges).toEqual([]);
});
