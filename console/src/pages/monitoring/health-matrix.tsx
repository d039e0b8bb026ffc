import type { ServiceHealth } from '#spec/api';
import { HEALTH_TONE } from '../../domains/incident/tones.ts';
import { useFormats, useText } from '../../domains/language/language.tsx';
import { telemetryText } from '../../domains/telemetry/text.ts';
import { Dot } from '../../ui/badge.tsx';
import { Section } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';
import { monitoringText } from './text.ts';

/** How each service does, in numbers. A service that is chosen narrows everything below to it. */
export function HealthMatrix(props: {
  readonly services: readonly ServiceHealth[];
  readonly chosen: string;
  readonly onChoose: (service: string) => void;
}) {
  const text = useText(monitoringText);
  const words = useText(telemetryText);
  const formats = useFormats();
  const shown = (value: number | undefined, unit: string) =>
    value === undefined ? '–' : formats.quantity(value, unit);
  return (
    <Section title={text.services} count={props.services.length} flush>
      <Table
        label={text.services}
        items={props.services}
        keyOf={({ service }) => service}
        current={({ service }) => service === props.chosen}
        columns={[
          {
            key: 'service',
            title: text.service,
            cell: ({ service }) => (
              <button
                type="button"
                className="link"
                aria-pressed={service === props.chosen}
                onClick={() => props.onChoose(service)}
              >
                {service}
              </button>
            ),
          },
          {
            key: 'health',
            title: text.health,
            cell: ({ health }) => (
              <span className="health">
                <Dot tone={HEALTH_TONE[health]} /> {words.health[health]}
              </span>
            ),
          },
          {
            key: 'traffic',
            title: text.traffic,
            number: true,
            cell: ({ requestsPerSecond }) => shown(requestsPerSecond, '/s'),
          },
          {
            key: 'errors',
            title: text.errors,
            number: true,
            cell: ({ errorRatio }) => shown(errorRatio, 'ratio'),
          },
          { key: 'latency', title: text.latency, number: true, cell: ({ p95Ms }) => shown(p95Ms, 'ms') },
          {
            key: 'versions',
            title: text.versions,
            wide: true,
            cell: ({ versions }) => <code>{versions.join(', ') || '–'}</code>,
          },
        ]}
      />
    </Section>
  );
}
