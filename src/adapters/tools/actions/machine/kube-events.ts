import { z } from 'zod';
import { defineTool, type ToolContext, type ToolResult } from '#spec/ports';
import { ClusterPlace, kubectlRows, placeArgs } from './kubectl-rows.ts';
import { answer, count } from '../../text/answer.ts';
import { asResult } from '../../services/as-result.ts';

const COLUMNS = {
  at: '.lastTimestamp',
  type: '.type',
  reason: '.reason',
  times: '.count',
  namespace: '.involvedObject.namespace',
  kind: '.involvedObject.kind',
  name: '.involvedObject.name',
  message: '.message',
};

const input = z.strictObject({
  namespace: ClusterPlace.namespace,
  context: ClusterPlace.context,
  warnings: z.boolean().default(true).describe('only these'),
  limit: z.int().min(1).max(500).default(100),
});
type Input = z.infer<typeof input>;

export const tool = defineTool<Input>({
  name: 'kube_events',
  toolset: 'actions',
  description: 'Events of a cluster as records, grouped by reason.',
  input,
  deferred: true,
  effect: () => 0,
  footprint: () => ({ reads: ['kubernetes'] }),
  run: (asked, context) => asResult(() => events(asked, context)),
});

async function events(asked: Input, context: ToolContext): Promise<ToolResult> {
  const args = ['get', 'events', ...placeArgs(asked), '--sort-by=.lastTimestamp'];
  const { rows, cut } = await kubectlRows(args, COLUMNS, context);
  const list = rows
    .filter(({ type }) => !asked.warnings || type === 'Warning')
    .map((row) => ({ ...row, times: Number(row.times) || 1 }) as Record<string, string> & { times: number })
    .slice(-asked.limit);
  const reasons: Record<string, number> = {};
  for (const { reason = '', times } of list) reasons[reason] = (reasons[reason] ?? 0) + times;
  const lines = list.map(
    (event) => `${event.at} ${event.reason} ${event.kind}/${event.name} (${event.times}×): ${event.message}`,
  );
  return answer(lines.join('\n') || 'There are no such events.', count(list.length, 'event'), {
    events: list,
    count: list.length,
    reasons,
    cut,
  });
}
