import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Alert } from '#spec/data';
import type { Incident } from '../../domains/incident/records.ts';
import { queries } from '../../domains/api/queries.ts';
import { useText } from '../../domains/language/language.tsx';
import { Graph } from '../../ui/graph.tsx';
import { Section } from '../../ui/page.tsx';
import { causalGraph } from './causal-graph.ts';
import { incidentText } from './text.ts';

const MINUTES = 15;

/** The calls between services come from monitoring; without it the rest is shown all the same. */
export function CausalSection(props: { readonly incident: Incident; readonly alerts: readonly Alert[] }) {
  const { incident, alerts } = props;
  const { causal: text } = useText(incidentText);
  const { data } = useQuery({ ...queries.monitoring(MINUTES), refetchInterval: false, staleTime: 60_000 });
  const topology = data?.topology;
  const { nodes, edges } = useMemo(
    () => causalGraph(incident, alerts, topology, text),
    [incident, alerts, topology, text],
  );
  if (nodes.length < 2) return null;
  return (
    <Section title={text.title}>
      <Graph label={text.title} nodes={nodes} edges={edges} height={Math.min(360, 120 + nodes.length * 24)} />
    </Section>
  );
}
