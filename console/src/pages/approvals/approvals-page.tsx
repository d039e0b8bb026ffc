import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { queries } from '../../domains/api/queries.ts';
import type { ShownApproval } from '#spec/api';
import { Decide, WillDo } from '../../domains/incident/decide.tsx';
import { incidentWords } from '../../domains/incident/text.ts';
import { APPROVAL_TONE } from '../../domains/incident/tones.ts';
import { useLanguage, useText } from '../../domains/language/language.tsx';
import { waitingCalls } from '../../domains/requests/requests-api.ts';
import { useMay } from '../../domains/session/session.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { approvalsText } from './text.ts';
import { WaitingCall } from './waiting-call.tsx';

const MOST_DECIDED = 100;

export default function ApprovalsPage() {
  const text = useText(approvalsText);
  const query = useQuery(queries.approvals());
  const { data: calls = [] } = useQuery(waitingCalls(useMay('approver')));
  return (
    <Page title={text.title}>
      <Loaded query={query}>
        {(all) => {
          const waiting = all.filter(({ state }) => state === 'pending');
          const decided = all
            .filter(({ state }) => state !== 'pending')
            .toSorted((one, other) => other.createdAt - one.createdAt);
          return (
            <>
              {waiting.map((approval) => (
                <Waiting key={approval.id} approval={approval} />
              ))}
              {calls.map((call) => (
                <WaitingCall key={call.id} call={call} />
              ))}
              {waiting.length + calls.length === 0 ? (
                <Section title={text.waiting}>
                  <Empty title={text.none}>{text.noneWhy}</Empty>
                </Section>
              ) : null}
              <Decided approvals={decided.slice(0, MOST_DECIDED)} />
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

const incidentAddress = (id: string) => `/incidents/${encodeURIComponent(id)}`;

function Waiting({ approval }: { readonly approval: ShownApproval }) {
  const text = useText(approvalsText);
  const words = useText(incidentWords);
  const { language } = useLanguage();
  const { action } = approval.input;
  const title = action ? `${words.operation[action.operation]}: ${action.service}` : approval.shown;
  return (
    <Section title={title} actions={<Link to={incidentAddress(approval.incident)}>{text.showIncident}</Link>}>
      <div className="stack-16">
        <p className="wrap">{approval.reasons[0]?.[language]}</p>
        <WillDo approval={approval} />
        <div className="row muted">
          <span>
            {text.asked} <Time at={approval.createdAt} ago />
          </span>
          {action ? <span>{text.evidence(action.evidence.length)}</span> : null}
          {approval.separate ? <Badge>{text.separate}</Badge> : null}
          {approval.confirm === undefined ? null : <Badge tone="warn">{text.twice}</Badge>}
        </div>
        <Decide approval={approval} />
      </div>
    </Section>
  );
}

function Decided({ approvals }: { readonly approvals: readonly ShownApproval[] }) {
  const text = useText(approvalsText);
  const words = useText(incidentWords);
  return (
    <Section title={text.decided} count={approvals.length} flush>
      {approvals.length === 0 ? (
        <Empty title={text.noneDecided} />
      ) : (
        <Table
          label={text.decided}
          items={approvals}
          keyOf={({ id }) => id}
          columns={[
            {
              key: 'what',
              title: text.what,
              cell: (each) => (
                <Link to={incidentAddress(each.incident)} className="wrap">
                  {each.input.preview ?? each.shown.split('\n')[0]}
                </Link>
              ),
            },
            {
              key: 'state',
              title: text.state,
              cell: ({ state }) => <Badge tone={APPROVAL_TONE[state]}>{words.approval[state]}</Badge>,
            },
            {
              key: 'by',
              title: text.by,
              cell: ({ decidedBy }) => (decidedBy ? `${decidedBy.user} · ${decidedBy.channel}` : '–'),
            },
            {
              key: 'when',
              title: text.when,
              cell: ({ decidedAt, createdAt }) => <Time at={decidedAt ?? createdAt} />,
            },
          ]}
        />
      )}
    </Section>
  );
}
