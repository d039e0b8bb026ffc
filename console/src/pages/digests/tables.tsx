import type { Digest } from '#spec/api';
import { Link } from 'react-router';
import { incidentWords } from '../../domains/incident/text.ts';
import { useFormats, useText } from '../../domains/language/language.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Section } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { digestsText } from './text.ts';

function Incident({ digest, id }: { readonly digest: Digest; readonly id: string }) {
  const title = digest.incidents.find((each) => each.id === id)?.title ?? id;
  return (
    <Link className="wrap" to={`/incidents/${encodeURIComponent(id)}`}>
      {title}
    </Link>
  );
}

/** Actions that were carried out, or tried, and did not end the incident. */
export function FailedActions({ digest }: { readonly digest: Digest }) {
  const text = useText(digestsText);
  const words = useText(incidentWords);
  return (
    <Section title={text.failedTitle} count={digest.notRecovered.length} flush>
      {digest.notRecovered.length === 0 ? (
        <Empty title={text.noneFailed} />
      ) : (
        <Table
          label={text.failedTitle}
          items={digest.notRecovered}
          keyOf={({ incident, at }) => `${incident} ${at}`}
          columns={[
            {
              key: 'incident',
              title: text.incident,
              cell: ({ incident }) => <Incident digest={digest} id={incident} />,
            },
            {
              key: 'action',
              title: text.action,
              cell: ({ operation, service }) => (
                <>
                  {operation === undefined ? '–' : words.operation[operation]}
                  {service === undefined ? null : <span className="muted"> {service}</span>}
                </>
              ),
            },
            {
              key: 'outcome',
              title: text.outcome,
              cell: ({ status }) => (
                <Badge tone={status === 'uncertain' || status === 'unknown' ? 'warn' : 'bad'}>
                  {text.status[status]}
                </Badge>
              ),
            },
            { key: 'when', title: text.when, wide: true, number: true, cell: ({ at }) => <Time at={at} /> },
          ]}
        />
      )}
    </Section>
  );
}

/** The incidents that most alerts were part of. */
export function Loudest({ digest }: { readonly digest: Digest }) {
  const text = useText(digestsText);
  const formats = useFormats();
  const { loudest, deliveries, alerts } = digest.noise;
  return (
    <Section
      title={text.noise}
      actions={<span className="muted">{text.heard(deliveries, alerts)}</span>}
      flush
    >
      {loudest.length === 0 ? (
        <Empty title={text.nothing} />
      ) : (
        <Table
          label={text.noise}
          items={loudest}
          keyOf={({ incident }) => incident}
          columns={[
            {
              key: 'incident',
              title: text.incident,
              cell: ({ incident }) => <Incident digest={digest} id={incident} />,
            },
            { key: 'alerts', title: text.alerts, number: true, cell: (each) => formats.number(each.alerts) },
            {
              key: 'deliveries',
              title: text.deliveries,
              number: true,
              cell: (each) => formats.number(each.deliveries),
            },
          ]}
        />
      )}
    </Section>
  );
}
