import { useState } from 'react';
import { isRegroupable } from '#kit/is-regroupable';
import type { Incident, IncidentMember } from '../../domains/incident/records.ts';
import { SeverityMark } from '../../domains/incident/marks.tsx';
import { useText } from '../../domains/language/language.tsx';
import { useMay } from '../../domains/session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/page.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { MoveDialog } from './regroup-dialog.tsx';
import { incidentText } from './text.ts';

const nameOf = ({ service, name }: IncidentMember): string => [service, name].filter(Boolean).join(' · ');

/** Which alerts are one incident, and why. Nothing to tell where there is one kind of them. */
export function Members(props: { readonly incident: Incident; readonly members: readonly IncidentMember[] }) {
  const { incident, members } = props;
  const { members: text, regroup } = useText(incidentText);
  const may = useMay('operator');
  const [moving, setMoving] = useState<IncidentMember>();
  if (members.length < 2) return null;
  const columns: readonly Column<IncidentMember>[] = [
    {
      key: 'alert',
      title: text.alert,
      cell: (member) => (
        <span className="row">
          <SeverityMark severity={member.severity} />
          <span className="wrap">{nameOf(member)}</span>
        </span>
      ),
    },
    { key: 'why', title: text.why, cell: ({ why }) => <span className="wrap">{why ?? text.first}</span> },
    { key: 'count', title: text.count, number: true, cell: ({ alerts }) => String(alerts) },
  ];
  const change: Column<IncidentMember> = {
    key: 'change',
    title: text.change,
    cell: (member) => (
      <Button small aria-label={`${regroup.move} ${nameOf(member)}`} onClick={() => setMoving(member)}>
        {regroup.move}
      </Button>
    ),
  };
  return (
    <Section title={text.title} count={members.length} flush>
      <Table
        label={text.title}
        items={members}
        keyOf={nameOf}
        columns={may && isRegroupable(incident) ? [...columns, change] : columns}
      />
      {moving ? (
        <MoveDialog
          incident={incident}
          members={members}
          member={moving}
          onClose={() => setMoving(undefined)}
        />
      ) : null}
    </Section>
  );
}
