import { lazy, Suspense } from 'react';
import { useText } from '../domains/language/language.tsx';
import type { Tone } from './classes.ts';
import { uiText } from './text.ts';

const GraphCanvas = lazy(() => import('./graph-canvas.tsx'));

export interface GraphNode {
  readonly id: string;
  readonly title: string;
  readonly detail?: string;
  readonly tone: Tone;
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly label?: string;
  /** Where trouble flows. */
  readonly hot?: boolean;
  /** Only supposed. */
  readonly dashed?: boolean;
}

export interface GraphProps {
  readonly label: string;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  readonly height?: number;
}

/** Who leads to whom, laid out from left to right. The same stands below as a list, for those who cannot see it. */
export function Graph(props: GraphProps) {
  const { label, nodes, edges, height = 280 } = props;
  const text = useText(uiText);
  const titles = new Map(nodes.map(({ id, title, detail }) => [id, detail ? `${title} (${detail})` : title]));
  return (
    <figure className="stack">
      <div className="graph" style={{ height }} aria-hidden="true">
        <Suspense fallback={null}>
          <GraphCanvas {...props} />
        </Suspense>
      </div>
      <details>
        <summary className="muted">
          {text.asList}: {label}
        </summary>
        <ul className="stack" style={{ paddingTop: 8 }}>
          {edges.map(({ from, to, label: edge }) => (
            <li key={`${from}→${to}`} className="wrap">
              {titles.get(from)} <span className="muted">→ {edge ?? text.leadsTo} →</span> {titles.get(to)}
            </li>
          ))}
        </ul>
      </details>
    </figure>
  );
}
