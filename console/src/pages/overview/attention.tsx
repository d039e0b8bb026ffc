import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { IncidentSummary } from '#spec/data';
import { queries } from '../../domains/api/queries.ts';
import { inputOf } from '../../domains/incident/approval-input.ts';
import { SeverityMark, StateMark } from '../../domains/incident/marks.tsx';
import { incidentWords } from '../../domains/incident/text.ts';
import { useText } from '../../domains/language/language.tsx';
import { Section } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { overviewText } from './text.ts';

/** What does not go on without a person: requests that wait, and incidents that are stuck. */
export function Attention({ incidents }: { readonly incidents: readonly IncidentSummary[] }) {
  const text = useText(overviewText);
  const words = useText(incidentWords);
  const approvals = useQuery(queries.approvals());
  const waiting = (approvals.data ?? []).filter(({ state }) => state === 'pending');
  const stuck = incidents.filter(({ state }) => state === 'needs_person');
  return (
    <Section title={text.attention} count={waiting.length + stuck.length}>
      {waiting.length + stuck.length === 0 ? (
        <Empty title={text.noAttention}>{text.noAttentionWhy}</Empty>
      ) : null}
      <ul className="stack">
        {waiting.map((approval) => {
          const { action, preview } = inputOf(approval);
          return (
            <li key={approval.id} className="notice warn attention">
              <div className="wrap">
                <strong>
                  {action ? `${words.operation[action.operation]}, ${action.service}` : approval.shown}
                </strong>{' '}
                <span className="muted">
                  <Time at={approval.createdAt} ago />
                </span>
                {preview === undefined ? null : (
                  <div>
                    <code className="muted">{preview}</code>
                  </div>
                )}
              </div>
              <Link className="button" to={`/incidents/${encodeURIComponent(approval.incident)}`}>
                {text.decide}
              </Link>
            </li>
          );
        })}
        {stuck.map((incident) => (
          <li key={incident.id} className="notice bad attention">
            <div className="wrap">
              <span className="row tight">
                <SeverityMark severity={incident.severity} />
                <Link to={`/incidents/${encodeURIComponent(incident.id)}`}>{incident.title}</Link>
                <StateMark state={incident.state} />
              </span>
              <div className="muted">{incident.note}</div>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}
