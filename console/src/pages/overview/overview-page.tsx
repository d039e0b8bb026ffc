import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { IncidentSummary } from '#spec/data';
import { queries } from '../../domains/api/queries.ts';
import { CauseWord, SeverityMark, StateMark } from '../../domains/incident/marks.tsx';
import { CLOSED_STATES, OPEN_COUNTED, OPEN_STATES } from '../../domains/incident/tones.ts';
import { useFormats, useText } from '../../domains/language/language.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { Attention } from './attention.tsx';
import { DemoPanel } from './demo-panel.tsx';
import { ENDED_COUNTED, Figures } from './figures.tsx';
import { HealthStrip } from './health-strip.tsx';
import { overviewText } from './text.ts';
import './overview.css';

const RECENT = 8;
const MOST_OPEN = 20;

/** What is wrong, what waits for a person, how the services do, and what has ended. */
export default function OverviewPage() {
  const text = useText(overviewText);
  const open = useQuery(queries.incidents({ states: OPEN_STATES, limit: OPEN_COUNTED }));
  const ended = useQuery(queries.incidents({ states: CLOSED_STATES, limit: ENDED_COUNTED }));
  return (
    <Page title={text.title}>
      <Figures open={open.data} ended={ended.data} />
      <div className="overview">
        <div className="stack-16">
          <Attention incidents={open.data ?? []} />
          <Section
            title={text.openTitle}
            count={open.data && (open.data.length < OPEN_COUNTED ? open.data.length : `${OPEN_COUNTED}+`)}
            actions={<Link to="/incidents">{text.all}</Link>}
            flush
          >
            <Loaded query={open}>
              {(items) =>
                items.length ? <OpenTable items={items.slice(0, MOST_OPEN)} /> : <Empty title={text.noOpen} />
              }
            </Loaded>
          </Section>
          <Section title={text.recent} flush>
            <Loaded query={ended}>
              {(items) =>
                items.length ? <EndedTable items={items.slice(0, RECENT)} /> : <Empty title={text.noRecent} />
              }
            </Loaded>
          </Section>
        </div>
        <div className="stack-16">
          <DemoPanel />
          <HealthStrip />
        </div>
      </div>
    </Page>
  );
}

const Title = ({ incident }: { readonly incident: IncidentSummary }) => (
  <span className="severity-title">
    <SeverityMark severity={incident.severity} />
    <Link className="wrap" to={`/incidents/${encodeURIComponent(incident.id)}`}>
      {incident.title}
    </Link>
  </span>
);

function OpenTable({ items }: { readonly items: readonly IncidentSummary[] }) {
  const text = useText(overviewText);
  return (
    <Table
      label={text.openTitle}
      items={items}
      keyOf={({ id }) => id}
      columns={[
        { key: 'incident', title: text.incident, cell: (incident) => <Title incident={incident} /> },
        { key: 'state', title: text.state, cell: ({ state }) => <StateMark state={state} /> },
        {
          key: 'service',
          title: text.service,
          wide: true,
          cell: ({ services }) => <span className="nowrap">{services.join(', ') || '–'}</span>,
        },
        {
          key: 'started',
          title: text.started,
          wide: true,
          number: true,
          cell: ({ startsAt }) => <Time at={startsAt} ago />,
        },
      ]}
    />
  );
}

function EndedTable({ items }: { readonly items: readonly IncidentSummary[] }) {
  const text = useText(overviewText);
  const formats = useFormats();
  return (
    <Table
      label={text.recent}
      items={items}
      keyOf={({ id }) => id}
      columns={[
        { key: 'incident', title: text.incident, cell: (incident) => <Title incident={incident} /> },
        { key: 'state', title: text.state, cell: ({ state }) => <StateMark state={state} /> },
        {
          key: 'cause',
          title: text.cause,
          wide: true,
          cell: (incident) => (
            <span className="nowrap">
              <CauseWord incident={incident} />
            </span>
          ),
        },
        {
          key: 'lasted',
          title: text.lasted,
          wide: true,
          number: true,
          cell: ({ startsAt, closedAt, updatedAt }) =>
            formats.duration((closedAt ?? updatedAt) - new Date(startsAt).getTime()),
        },
        {
          key: 'ended',
          title: text.ended,
          number: true,
          cell: ({ closedAt, updatedAt }) => <Time at={closedAt ?? updatedAt} ago />,
        },
      ]}
    />
  );
}
