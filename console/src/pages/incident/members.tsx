import type { IncidentMember } from '../../domains/incident/records.ts';
import { SeverityMark } from '../../domains/incident/marks.tsx';
import { useText } from '../../domains/language/language.tsx';
import { Section } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';
import { incidentText } from './text.ts';

/** Which alerts are one incident, and why. Nothing to tell where there is one kind of them. */
export function Members({ members }: { readonly members: readonly IncidentMember[] }) {
  const { members: text } = useText(incidentText);
  if (members.length < 2) return null;
  return (
    <Section title={text.title} count={members.length} flush>
      <Table
        label={text.title}
        items={members}
        keyOf={({ service, name }) => `${service ?? ''} ${name}`}
        columns={[
          {
            key: 'alert',
            title: text.alert,
            cell: ({ severity, service, name }) => (
              <span className="severity-title">
                <SeverityMark severity={severity} />
                <span className="wrap">{[service, name].filter(Boolean).join(' · ')}</span>
              </span>
            ),
          },
          {
            key: 'why',
            title: text.why,
            cell: ({ why }) => <span className="wrap">{why ?? text.first}</span>,
          },
          { key: 'count', title: text.count, number: true, cell: ({ alerts }) => String(alerts) },
        ]}
      />
    </Section>
  );
}
