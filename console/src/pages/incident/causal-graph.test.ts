import { expect, it } from 'vitest';
import type { Alert } from '#spec/data';
import type { Incident } from '../../domains/incident/records.ts';
import { causalGraph } from './causal-graph.ts';

const words = { cause: 'cause', alert: 'alert', supposed: 'together' };
const alert = (service: string) =>
  ({
    fingerprint: service,
    service,
    title: 't',
    labels: { alertname: 'High' },
    status: 'firing',
  }) as unknown as Alert;

const incident = {
  services: ['web', 'cart'],
  rca: {
    hypotheses: [{ service: 'db', change: 'dep_1', supports: ['e1', 'e2'] }],
    evidence: [
      { id: 'e1', kind: 'change', service: 'db', summary: 'deploy dep_1 "db v2" on db' },
      { id: 'e2', kind: 'metric', service: 'db', summary: '' },
    ],
  },
} as unknown as Incident;

it('lets trouble flow from the change over the callers to the alerts', () => {
  const topology = {
    edges: [
      { from: 'web', to: 'api' },
      { from: 'web', to: 'db' },
      { from: 'db', to: 'disk' },
    ],
  };
  const { nodes, edges } = causalGraph(incident, [alert('web')], topology, words);
  expect(nodes.map(({ id }) => id)).toEqual(['change', 'db', 'web', 'cart', 'alert web']);
  expect(nodes[0]?.title).toBe('db v2');
  expect(edges).toEqual([
    { from: 'change', to: 'db', hot: true },
    { from: 'db', to: 'web', hot: true },
    { from: 'db', to: 'cart', label: 'together', dashed: true },
    { from: 'web', to: 'alert web' },
  ]);
});

it('is empty without a hypothesis, and ends where services call each other in a circle', () => {
  expect(causalGraph({ ...incident, rca: undefined }, [], undefined, words).nodes).toEqual([]);
  const circle = {
    edges: [
      { from: 'web', to: 'db' },
      { from: 'db', to: 'web' },
    ],
  };
  expect(causalGraph(incident, [], circle, words).edges.filter(({ hot }) => hot)).toHaveLength(2);
});
