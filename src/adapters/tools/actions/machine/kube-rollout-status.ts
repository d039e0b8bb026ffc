import { tell } from '#kit/text';
import { z } from 'zod';
import { defineTool, type ToolContext, type ToolResult } from '#spec/ports';
import { ClusterPlace, kubectlRows, placeArgs } from './kubectl-rows.ts';
import { answer } from '../../text/answer.ts';
import { asResult } from '../../services/as-result.ts';

const COLUMNS = {
  namespace: '.metadata.namespace',
  name: '.metadata.name',
  wanted: '.spec.replicas',
  updated: '.status.updatedReplicas',
  available: '.status.availableReplicas',
  generation: '.metadata.generation',
  observed: '.status.observedGeneration',
  image: '.spec.template.spec.containers[*].image',
};

const input = z.strictObject({
  ...ClusterPlace,
  kind: z.enum(['deployment', 'statefulset']).default('deployment'),
  name: z
    .string()
    .max(200)
    .regex(/^[a-z0-9][a-z0-9.-]*$/)
    .optional()
    .describe('default: all'),
});
type Input = z.infer<typeof input>;

export const tool = defineTool<Input>({
  name: 'kube_rollout_status',
  toolset: 'actions',
  description: 'Whether deployments have all their replicas in the newest version.',
  input,
  deferred: true,
  effect: () => 0,
  footprint: () => ({ reads: ['kubernetes'] }),
  run: (asked, context) => asResult(() => rollouts(asked, context)),
});

async function rollouts(asked: Input, context: ToolContext): Promise<ToolResult> {
  const { rows, cut } = await kubectlRows(['get', asked.kind, ...placeArgs(asked)], COLUMNS, context);
  const list = rows
    .filter(({ name }) => asked.name === undefined || name === asked.name)
    .map((row) => {
      const [wanted, updated, available] = [row.wanted, row.updated, row.available].map(
        (word) => Number(word) || 0,
      );
      return {
        namespace: row.namespace ?? '',
        name: row.name ?? '',
        wanted,
        updated,
        available,
        image: row.image ?? '',
        done: updated === wanted && available === wanted && row.generation === row.observed,
      };
    });
  const open = list.filter(({ done }) => !done);
  const items = open.map(({ namespace, name, wanted, updated, available }) => ({
    severity: available === 0 ? 'critical' : 'high',
    name: `${namespace}/${name}`,
    message: tell(
      `${available} of ${wanted} available, ${updated} updated`,
      `期望 ${wanted} 个副本，可用 ${available} 个，已更新 ${updated} 个`,
    )[context.language ?? 'en'],
  }));
  const lines = list.map(
    ({ namespace, name, available, wanted, image, done }) =>
      `${done ? 'done' : 'OPEN'} ${namespace}/${name}: ${available}/${wanted} ${image}`,
  );
  return answer(
    lines.join('\n') || `There is no such ${asked.kind}.`,
    `${list.length - open.length} of ${list.length} done`,
    {
      rollouts: list,
      count: list.length,
      open,
      items,
      all_done: list.length > 0 && open.length === 0,
      cut,
    },
  );
}
