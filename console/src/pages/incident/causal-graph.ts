import type { Alert, Topology } from '#spec/data';
import type { Incident } from '../../domains/incident/records.ts';
import type { GraphEdge, GraphNode } from '../../ui/graph.tsx';

interface Words {
  readonly cause: string;
  readonly alert: string;
  readonly supposed: string;
}

const MOST_ALERTS = 6;

/**
 * How trouble went from its cause to what was noticed: the change, the service at fault, whoever calls it and is affected
 * (trouble flows against the calls), and the alerts. Services that no call connects are linked as merely seen together.
 */
export function causalGraph(
  incident: Incident,
  alerts: readonly Alert[],
  topology: Topology | undefined,
  words: Words,
): { readonly nodes: readonly GraphNode[]; readonly edges: readonly GraphEdge[] } {
  const [top] = incident.rca?.hypotheses ?? [];
  if (!top) return { nodes: [], edges: [] };
  const cause = top.service ?? incident.service ?? 'unknown';
  const supports = new Set(top.supports);
  const cited = (incident.rca?.evidence ?? []).filter(({ id }) => supports.has(id));
  const affected = new Set([
    cause,
    ...incident.services,
    ...alerts.flatMap(({ service }) => service ?? []),
    ...cited.flatMap(({ kind, service }) => (kind === 'change' ? [] : (service ?? []))),
  ]);
  const nodes: GraphNode[] = [];
  const edges: GraphEdge[] = [];
  if (top.change !== undefined) {
    const told = cited.find(({ kind, summary }) => kind === 'change' && summary.includes(top.change ?? ''));
    const title = /"([^"]+)"/.exec(told?.summary ?? '')?.[1] ?? top.change;
    nodes.push({ id: 'change', title, detail: top.change, tone: 'info' });
    edges.push({ from: 'change', to: cause, hot: true });
  }
  for (const service of affected)
    nodes.push({
      id: service,
      title: service,
      ...(service === cause ? { detail: words.cause } : {}),
      tone: service === cause ? 'bad' : 'warn',
    });
  edges.push(...spread(cause, affected, topology, words.supposed));
  for (const alert of alerts.slice(0, MOST_ALERTS)) {
    const id = `alert ${alert.fingerprint}`;
    const name = alert.labels['alertname'] ?? alert.title;
    nodes.push({ id, title: name, detail: words.alert, tone: alert.status === 'firing' ? 'bad' : 'quiet' });
    edges.push({ from: alert.service ?? cause, to: id });
  }
  return { nodes, edges };
}

/** From the cause to everybody who calls it, as far as they are affected. */
function spread(
  cause: string,
  affected: ReadonlySet<string>,
  topology: Topology | undefined,
  supposed: string,
): GraphEdge[] {
  const reached = new Set([cause]);
  const edges: GraphEdge[] = [];
  const queue = [cause];
  for (let callee = queue.shift(); callee !== undefined; callee = queue.shift())
    for (const { from, to } of topology?.edges ?? []) {
      if (to !== callee || !affected.has(from) || reached.has(from)) continue;
      reached.add(from);
      queue.push(from);
      edges.push({ from: callee, to: from, hot: true });
    }
  for (const service of affected)
    if (!reached.has(service)) edges.push({ from: cause, to: service, label: supposed, dashed: true });
  return edges;
}
