import type { Monitoring } from '#spec/api';
import { useMemo } from 'react';
import { HEALTH_TONE } from '../../domains/incident/tones.ts';
import { useFormats, useText } from '../../domains/language/language.tsx';
import { telemetryText } from '../../domains/telemetry/text.ts';
import { Graph } from '../../ui/graph.tsx';
import { Section } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { monitoringText } from './text.ts';

/** Who calls whom, with how each does. An edge is hot where the one who is called is in trouble. */
export function TopologyGraph({ data: { services, topology } }: { readonly data: Monitoring }) {
  const text = useText(monitoringText);
  const words = useText(telemetryText);
  const formats = useFormats();
  const { nodes, edges } = useMemo(() => {
    const known = new Map(services.map((each) => [each.service, each]));
    const names = new Set([...known.keys(), ...topology.edges.flatMap(({ from, to }) => [from, to])]);
    const bad = (name: string) => ['bad', 'warn'].includes(known.get(name)?.health ?? '');
    return {
      nodes: [...names].map((name) => {
        const found = known.get(name);
        const health = found?.health ?? 'unknown';
        const errors = found?.errorRatio === undefined ? '' : ` · ${formats.percent(found.errorRatio)}`;
        return {
          id: name,
          title: name,
          detail: `${words.health[health]}${errors}`,
          tone: HEALTH_TONE[health],
        };
      }),
      edges: topology.edges.map(({ from, to }) => ({ from, to, hot: bad(to) })),
    };
  }, [services, topology, formats, words]);
  return (
    <Section title={text.topology}>
      {edges.length ? (
        <Graph label={text.topology} nodes={nodes} edges={edges} height={220} />
      ) : (
        <Empty title={text.noTopology} />
      )}
    </Section>
  );
}
