import { Link } from 'react-router';
import { needsPerson } from '#kit/needs-person';
import type { IncidentSummary } from '#spec/data';
import { SeverityMark, StateMark } from '../../domains/incident/marks.tsx';
import { incidentWords } from '../../domains/incident/text.ts';
import { useLanguage, useText } from '../../domains/language/language.tsx';
import { useWaiting } from '../../domains/requests/use-waiting.ts';
import { Section } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { overviewText } from './text.ts';

const MOST_STUCK = 10;

/** What does not go on without a person: requests that wait, incidents that are stuck, and grave ones without a cause. */
export function Attention({ incidents }: { readonly incidents: readonly IncidentSummary[] }) {
  const text = useText(overviewText);
  const { language } = useLanguage();
  const words = useText(incidentWords);
  const { approvals = [], calls } = useWaiting();
  const stuck = incidents
    .filter(needsPerson)
    .toSorted((one, other) => one.severity.localeCompare(other.severity));
  const count = approvals.length + calls.length + stuck.length;
  return (
    <Section title={text.attention} count={count}>
      {count === 0 ? <Empty title={text.noAttention}>{text.noAttentionWhy}</Empty> : null}
      <ul className="stack">
        {approvals.map((approval) => {
          const { action, preview } = approval.input;
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
        {calls.map((call) => (
          <li key={call.id} className="notice warn attention">
            <div className="wrap">
              <strong>{call.tool}</strong>{' '}
              <span className="muted">
                {call.asks.user} · <Time at={call.createdAt} ago />
              </span>
              <div className="ellipsis">
                <code className="muted">{call.shown.split('\n', 1)[0]}</code>
              </div>
            </div>
            <Link className="button" to="/approvals">
              {text.decide}
            </Link>
          </li>
        ))}
        {stuck.slice(0, MOST_STUCK).map((incident) => (
          <li key={incident.id} className="notice bad attention">
            <div className="wrap">
              <span className="row tight">
                <SeverityMark severity={incident.severity} />
                <Link to={`/incidents/${encodeURIComponent(incident.id)}`}>{incident.title}</Link>
                <StateMark state={incident.state} />
              </span>
              <div className="muted">{incident.note?.[language] ?? text.noCause}</div>
            </div>
          </li>
        ))}
      </ul>
      {stuck.length > MOST_STUCK ? (
        <p>
          <Link to="/incidents">{text.moreStuck(stuck.length - MOST_STUCK)}</Link>
        </p>
      ) : null}
    </Section>
  );
}
