import type { PlannedStep, StepState } from '#spec/api';
import { STEP_TONE } from '../../domains/skills/tones.ts';
import type { GraphEdge, GraphNode } from '../../ui/graph.tsx';

/**
 * The steps of a workflow as boxes: each follows those before it, and what it takes from an earlier one stands at the
 * line. `states`: how a run stands; without it, boxes that ask somebody are marked.
 */
export function planGraph(
  steps: readonly Pick<PlannedStep, 'id' | 'name' | 'action' | 'batch' | 'needs' | 'asks' | 'outputKey'>[],
  states: ReadonlyMap<string, StepState> = new Map(),
): { readonly nodes: readonly GraphNode[]; readonly edges: readonly GraphEdge[] } {
  const makers = new Map(steps.flatMap(({ id, outputKey }) => (outputKey ? [[outputKey, id] as const] : [])));
  const batches = [...new Set(steps.map(({ batch }) => batch))].toSorted((one, other) => one - other);
  const before = (batch: number) => {
    const last = batches[batches.indexOf(batch) - 1];
    return steps.filter((step) => step.batch === last);
  };
  const edges = steps.flatMap((step): GraphEdge[] => {
    const taken = new Map<string, string[]>();
    for (const key of step.needs) {
      const maker = makers.get(key);
      if (maker !== undefined && maker !== step.id) taken.set(maker, [...(taken.get(maker) ?? []), key]);
    }
    const order = before(step.batch).filter(({ id }) => !taken.has(id));
    return [
      ...order.map(({ id }) => ({ from: id, to: step.id })),
      ...[...taken].map(([from, keys]) => ({ from, to: step.id, label: keys.join(', ') })),
    ];
  });
  const nodes = steps.map(({ id, name, action, asks }): GraphNode => {
    const state = states.get(id);
    const tone = state ? STEP_TONE[state] : asks.includes('confirmation') ? 'warn' : 'quiet';
    return { id, title: `${id}. ${name}`, detail: action, tone };
  });
  return { nodes, edges };
}
