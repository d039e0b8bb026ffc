import { graphlib, layout } from '@dagrejs/dagre';
import type { GraphProps } from './graph.tsx';

export const NODE_WIDTH = 224;
export const NODE_HEIGHT = 46;

/** Where each node stands: its upper left corner. */
export function layoutGraph(
  nodes: GraphProps['nodes'],
  edges: GraphProps['edges'],
  direction: 'LR' | 'TB',
): ReadonlyMap<string, { readonly x: number; readonly y: number }> {
  const graph = new graphlib.Graph();
  graph.setGraph({ rankdir: direction, nodesep: 24, ranksep: 72, marginx: 8, marginy: 8 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id } of nodes) graph.setNode(id, { width: NODE_WIDTH, height: NODE_HEIGHT });
  for (const { from, to } of edges) if (graph.hasNode(from) && graph.hasNode(to)) graph.setEdge(from, to);
  layout(graph);
  return new Map(
    nodes.map(({ id }) => {
      const { x = 0, y = 0 } = graph.node(id) as { x?: number; y?: number };
      return [id, { x: x - NODE_WIDTH / 2, y: y - NODE_HEIGHT / 2 }];
    }),
  );
}
