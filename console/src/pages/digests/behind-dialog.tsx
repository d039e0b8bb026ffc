import type { Digest } from '#spec/api';
import { Link } from 'react-router';
import { CauseWord, SeverityMark, StateMark } from '../../domains/incident/marks.tsx';
import { useText } from '../../domains/language/language.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { behind } from './behind.ts';
import { digestsText } from './text.ts';

const MOST = 300;

/** The incidents behind a number. */
export function BehindDialog(props: {
  readonly digest: Digest;
  readonly of: string;
  readonly onClose: () => void;
}) {
  const text = useText(digestsText);
  const found = behind(props.digest, props.of);
  return (
    <Dialog title={text.behind(found.length)} onClose={props.onClose}>
      {found.length === 0 ? (
        <Empty title={text.noneBehind} />
      ) : (
        <Table
          label={text.behind(found.length)}
          items={found.slice(0, MOST)}
          keyOf={({ id }) => id}
          columns={[
            {
              key: 'incident',
              title: text.incident,
              cell: ({ id, title, severity }) => (
                <span className="digest-title">
                  <SeverityMark severity={severity} />
                  <Link className="wrap" to={`/incidents/${encodeURIComponent(id)}`}>
                    {title}
                  </Link>
                </span>
              ),
            },
            { key: 'state', title: text.state, cell: ({ state }) => <StateMark state={state} /> },
            {
              key: 'cause',
              title: text.cause,
              wide: true,
              cell: (incident) => <CauseWord incident={incident} />,
            },
            {
              key: 'when',
              title: text.when,
              wide: true,
              number: true,
              cell: ({ createdAt }) => <Time at={createdAt} />,
            },
          ]}
        />
      )}
    </Dialog>
  );
}
