import { type Edge, Handle, MarkerType, type Node, type NodeProps, Position, ReactFlow } from '@xyflow/react';
import '@xyflow/react/dist/base.css';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTheme } from '../domains/theme/theme.tsx';
import { classes } from './classes.ts';
import type { GraphNode, GraphProps } from './graph.tsx';
import { layoutGraph, NODE_HEIGHT, NODE_WIDTH } from './layout-graph.ts';

type FlowNode = Node<{ readonly box: GraphNode; readonly upright: boolean }>;

const nodeTypes = { box: Box };
/** Narrower than this, a graph grows downwards. */
const UPRIGHT_WIDTH = 560;

/** The part of a graph that needs the libraries. It is a picture: nothing in it can be moved. */
export default function GraphCanvas({ nodes, edges, height = 280 }: GraphProps) {
  const { shown: theme } = useTheme();
  const place = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const resized = new ResizeObserver(([entry]) => setWidth(Math.round(entry?.contentRect.width ?? 0)));
    resized.observe(element);
    return () => resized.disconnect();
  }, []);
  const upright = width > 0 && width < UPRIGHT_WIDTH;
  const flow = useMemo(() => flowOf(nodes, edges, upright), [nodes, edges, upright]);
  return (
    <div ref={place} style={{ height }}>
      {width === 0 ? null : (
        <ReactFlow<FlowNode>
          key={`${width}:${flow.shape}`}
          nodes={flow.nodes}
          edges={flow.edges}
          nodeTypes={nodeTypes}
          colorMode={theme}
          fitView
          fitViewOptions={{ padding: 0.08, maxZoom: 1 }}
          minZoom={0.2}
          proOptions={{ hideAttribution: true }}
          nodesDraggable={false}
          nodesConnectable={false}
          elementsSelectable={false}
          panOnDrag={false}
          zoomOnScroll={false}
          zoomOnPinch={false}
          zoomOnDoubleClick={false}
          preventScrolling={false}
        />
      )}
    </div>
  );
}

function flowOf(nodes: GraphProps['nodes'], edges: GraphProps['edges'], upright: boolean) {
  const places = layoutGraph(nodes, edges, upright ? 'TB' : 'LR');
  const known = new Set(nodes.map(({ id }) => id));
  return {
    shape: JSON.stringify([nodes.map(({ id }) => id), edges.map(({ from, to }) => [from, to])]),
    nodes: nodes.map(
      (node): FlowNode => ({
        id: node.id,
        type: 'box',
        position: places.get(node.id) ?? { x: 0, y: 0 },
        width: NODE_WIDTH,
        height: NODE_HEIGHT,
        focusable: false,
        data: { box: node, upright },
      }),
    ),
    edges: edges
      .filter(({ from, to }) => known.has(from) && known.has(to))
      .map(({ from, to, label, hot = false, dashed = false }): Edge => {
        const color = hot ? 'var(--bad)' : 'var(--line-strong)';
        return {
          id: `${from}→${to}`,
          source: from,
          target: to,
          focusable: false,
          ...(label === undefined ? {} : { label }),
          labelStyle: { fill: 'var(--muted)', fontSize: 11 },
          labelBgStyle: { fill: 'var(--sunken)' },
          style: {
            stroke: color,
            strokeWidth: hot ? 2 : 1.25,
            ...(dashed ? { strokeDasharray: '4 4' } : {}),
          },
          markerEnd: { type: MarkerType.ArrowClosed, color, width: 14, height: 14 },
        };
      }),
  };
}

function Box({ data: { box, upright } }: NodeProps<FlowNode>) {
  return (
    <div className={classes('graph-node', box.tone)} title={`${box.title}\n${box.detail ?? ''}`}>
      <Handle type="target" position={upright ? Position.Top : Position.Left} />
      <span className="title ellipsis">{box.title}</span>
      {box.detail === undefined ? null : <span className="muted ellipsis">{box.detail}</span>}
      <Handle type="source" position={upright ? Position.Bottom : Position.Right} />
    </div>
  );
}
