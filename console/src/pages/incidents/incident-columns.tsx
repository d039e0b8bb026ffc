import { Link } from 'react-router';
import type { IncidentSummary } from '#spec/data';
import { CauseWord, SeverityMark, StateMark } from '../../domains/incident/marks.tsx';
import { useFormats, useText } from '../../domains/language/language.tsx';
import { Time } from '../../ui/time.tsx';
import type { GridColumn } from '../../ui/virtual-table.tsx';
import { incidentsText } from './text.ts';

export function useIncidentColumns(): readonly GridColumn<IncidentSummary>[] {
  const { columns: text } = useText(incidentsText);
  const formats = useFormats();
  return [
    {
      key: 'severity',
      title: text.severity,
      width: '56px',
      cell: ({ severity }) => <SeverityMark severity={severity} />,
    },
    {
      key: 'incident',
      title: text.incident,
      width: 'minmax(180px, 3fr)',
      cell: ({ id, title }) => (
        <div className="ellipsis">
          <Link to={`/incidents/${encodeURIComponent(id)}`} title={title} tabIndex={-1}>
            {title}
          </Link>
        </div>
      ),
    },
    {
      key: 'service',
      title: text.service,
      width: 'minmax(100px, 1fr)',
      cell: ({ services }) => <div className="ellipsis">{services.join(', ') || '–'}</div>,
    },
    { key: 'state', title: text.state, width: '140px', cell: ({ state }) => <StateMark state={state} /> },
    {
      key: 'cause',
      title: text.cause,
      width: 'minmax(100px, 1fr)',
      cell: (incident) => (
        <div className="ellipsis">
          <CauseWord incident={incident} />
        </div>
      ),
    },
    {
      key: 'alerts',
      title: text.alerts,
      width: '56px',
      number: true,
      cell: ({ firing, alerts }) => `${firing}/${alerts}`,
    },
    {
      key: 'started',
      title: text.started,
      width: '128px',
      number: true,
      cell: ({ startsAt }) => <Time at={startsAt} />,
    },
    {
      key: 'lasted',
      title: text.lasted,
      width: '88px',
      number: true,
      cell: ({ startsAt, closedAt }) =>
        formats.duration((closedAt ?? Date.now()) - new Date(startsAt).getTime()),
    },
  ];
}
