import type { Change } from '#spec/data';
import { useText } from '../../domains/language/language.tsx';
import { telemetryText } from '../../domains/telemetry/text.ts';
import { Badge } from '../../ui/badge.tsx';
import { Section } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { monitoringText } from './text.ts';

const MOST = 50;

export function ChangesTable({ changes }: { readonly changes: readonly Change[] }) {
  const text = useText(monitoringText);
  const { change: kinds } = useText(telemetryText);
  return (
    <Section title={text.changes} count={changes.length} flush>
      {changes.length ? (
        <Table
          label={text.changes}
          items={changes.toSorted((one, other) => other.time.localeCompare(one.time)).slice(0, MOST)}
          keyOf={({ id }) => id}
          columns={[
            { key: 'when', title: text.when, cell: ({ time }) => <Time at={time} /> },
            { key: 'kind', title: text.kind, wide: true, cell: ({ kind }) => <Badge>{kinds[kind]}</Badge> },
            { key: 'service', title: text.service, cell: ({ service }) => service ?? '–' },
            { key: 'what', title: text.what, cell: ({ summary }) => <span className="wrap">{summary}</span> },
          ]}
        />
      ) : (
        <Empty title={text.noChanges} />
      )}
    </Section>
  );
}
