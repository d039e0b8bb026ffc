import { tell } from '#kit/text';
import { z } from 'zod';
import { defineTool, type ToolContext, type ToolResult } from '#spec/ports';
import { ClusterPlace, kubectlRows, placeArgs } from './kubectl-rows.ts';
import { answer } from '../../text/answer.ts';
import { asResult } from '../../services/as-result.ts';

const COLUMNS = {
  namespace: '.metadata.namespace',
  name: '.metadata.name',
  phase: '.status.phase',
  ready: '.status.containerStatuses[*].ready',
  restarts: '.status.containerStatuses[*].restartCount',
  waiting: '.status.containerStatuses[*].state.waiting.reason',
  ended: '.status.containerStatuses[*].lastState.terminated.reason',
  node: '.spec.nodeName',
};

const input = z.strictObject(ClusterPlace);
type Input = z.infer<typeof input>;

export const tool = defineTool<Input>({
  name: 'kube_get_pods',
  toolset: 'actions',
  description: 'Pods of a cluster as records, and which of them are not well.',
  input,
  deferred: true,
  effect: () => 0,
  footprint: () => ({ reads: ['kubernetes'] }),
  run: (asked, context) => asResult(() => pods(asked, context)),
});

async function pods(asked: Input, context: ToolContext): Promise<ToolResult> {
  const { rows, cut } = await kubectlRows(['get', 'pods', ...placeArgs(asked)], COLUMNS, context);
  const list = rows.map((row) => {
    const ready = (row.ready ?? '').split(',').filter(Boolean);
    const restarts = (row.restarts ?? '').split(',').reduce((sum, number) => sum + (Number(number) || 0), 0);
    const allReady = ready.length > 0 && ready.every((word) => word === 'true');
    return {
      namespace: row.namespace ?? '',
      name: row.name ?? '',
      phase: row.phase ?? '',
      ready: allReady,
      restarts,
      reason: row.waiting || row.ended || '',
      node: row.node ?? '',
      ok: row.phase === 'Succeeded' || (row.phase === 'Running' && allReady),
    };
  });
  const troubled = list.filter(({ ok }) => !ok);
  const items = troubled.map(({ namespace, name, phase, reason, restarts }) => ({
    severity: /CrashLoop|OOM|Error|ImagePull/.test(reason) || phase === 'Failed' ? 'critical' : 'high',
    name: `${namespace}/${name}`,
    message: `${reason || phase}${restarts > 0 ? tell(`, ${restarts} restarts`, `，重启 ${restarts} 次`)[context.language ?? 'en'] : ''}`,
  }));
  const lines = list.map(
    ({ namespace, name, phase, reason, restarts, ok }) =>
      `${ok ? 'ok' : 'NOT OK'} ${namespace}/${name}: ${reason || phase}, ${restarts} restarts`,
  );
  return answer(
    lines.join('\n') || 'There are no pods.',
    `${list.length - troubled.length} of ${list.length} pods well`,
    {
      pods: list,
      count: list.length,
      troubled,
      items,
      all_ok: troubled.length === 0,
      restarts: list.reduce((sum, pod) => sum + pod.restarts, 0),
      cut,
    },
  );
}
