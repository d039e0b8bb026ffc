import { useQuery } from '@tanstack/react-query';
import { undoOf } from '#spec/data/operations';
import type { Incident, ProposedAction } from '../../domains/incident/records.ts';
import { queries } from '../../domains/api/queries.ts';
import { Decide } from '../../domains/incident/decide.tsx';
import { incidentWords } from '../../domains/incident/text.ts';
import { APPROVAL_TONE, RISK_TONE } from '../../domains/incident/tones.ts';
import { useFormats, useText } from '../../domains/language/language.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Diff } from '../../ui/diff.tsx';
import { Json } from '../../ui/json.tsx';
import { Facts, Section } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { EvidenceLinks } from './evidence-link.tsx';
import { incidentText } from './text.ts';

/** What is proposed, what it will do, who agreed, and what became of it. */
export function ActionSection({ incident }: { readonly incident: Incident }) {
  const { action: text, hypotheses } = useText(incidentText);
  const words = useText(incidentWords);
  const { action } = incident;
  const approvals = useQuery({ ...queries.approvals(), enabled: incident.approval !== undefined });
  const approval = approvals.data?.find(({ id }) => id === incident.approval);
  if (!action) return null;
  const undo = undoOf(action);
  const waits = approval?.state === 'pending' && incident.state === 'awaiting_approval';
  return (
    <Section
      title={`${text.title}: ${words.operation[action.operation]}, ${action.service}`}
      actions={<Badge tone={RISK_TONE[action.risk]}>{words.risk[action.risk]}</Badge>}
    >
      <div className="stack-16">
        <p className="wrap">{action.reason}</p>
        <Rehearsed incident={incident} />
        {waits ? (
          <div className="notice warn stack">
            <p>
              {text.waits} <Time at={approval.expiresAt} />
            </p>
            <Decide approval={approval} />
          </div>
        ) : null}
        <Facts
          items={[
            [text.params, <Params key="p" params={action.params} />],
            ...(undo === 'nothing' ? [] : [[text.undo, <Undo key="u" undo={undo} />] as const]),
            [text.restsOn, <EvidenceLinks key="e" ids={action.evidence} none={hypotheses.nothing} />],
            ...(action.rules.length ? [[text.rules, action.rules.join(', ')] as const] : []),
            ...(approval
              ? [
                  [
                    text.approval,
                    <span key="a" className="row">
                      <Badge tone={APPROVAL_TONE[approval.state]}>{words.approval[approval.state]}</Badge>
                      {approval.decidedBy
                        ? `${approval.decidedBy.user} · ${approval.decidedBy.channel}`
                        : null}
                      {approval.decidedAt === undefined ? null : <Time at={approval.decidedAt} />}
                      {approval.separate ? <span className="muted">{text.separate}</span> : null}
                      {approval.confirm === undefined ? null : <span className="muted">{text.twice}</span>}
                    </span>,
                  ] as const,
                  [text.digest, <code key="d">{approval.digest.slice(0, 16)}…</code>] as const,
                ]
              : []),
          ]}
        />
        <Executed incident={incident} />
        <Others title={text.alternatives} actions={incident.alternatives ?? []} />
        <Others title={text.tried} actions={incident.tried ?? []} />
      </div>
    </Section>
  );
}

function Undo({ undo }: { readonly undo: Exclude<ReturnType<typeof undoOf>, 'nothing'> }) {
  const { action: text } = useText(incidentText);
  const words = useText(incidentWords);
  if (undo === 'by_hand') return text.byHand;
  return (
    <span className="row">
      {words.operation[undo.operation]}, {undo.service} <Params params={undo.params} />
    </span>
  );
}

function Params({ params }: { readonly params: Readonly<ProposedAction['params']> }) {
  const entries = Object.entries(params);
  if (!entries.length) return '–';
  return <code>{entries.map(([name, value]) => `${name}=${value}`).join(' ')}</code>;
}

function Rehearsed({ incident: { rehearsal, checkpoint, action } }: { readonly incident: Incident }) {
  const { action: text } = useText(incidentText);
  if (!rehearsal) return null;
  return (
    <div className="stack">
      <div className="row">
        <h3>{text.rehearsal}</h3>
        <Badge tone={rehearsal.allowed ? 'ok' : 'bad'}>
          {rehearsal.allowed ? text.allowed : text.notAllowed}
        </Badge>
        {rehearsal.why === undefined ? null : <span>{rehearsal.why}</span>}
        {action?.dryRunOnly === undefined ? null : (
          <Badge tone="warn">
            {text.dryRunOnly}: {action.dryRunOnly}
          </Badge>
        )}
      </div>
      <code className="code">{rehearsal.preview}</code>
      <Diff diff={rehearsal.diff} label={text.rehearsal} />
      {checkpoint ? (
        <details>
          <summary>
            <span className="muted">{text.checkpoint}</span> <code>{checkpoint.id}</code>{' '}
            <Time at={checkpoint.at} />
          </summary>
          <div className="folded">
            <Json name={text.state} value={checkpoint.state} />
            <code className="muted wrap">sha256 {checkpoint.digest}</code>
          </div>
        </details>
      ) : null}
    </div>
  );
}

function Executed({ incident: { execution } }: { readonly incident: Incident }) {
  const { action: text } = useText(incidentText);
  const words = useText(incidentWords);
  const formats = useFormats();
  if (!execution) return null;
  const { status, executor, key, startedAt, endedAt, detail, reconciled } = execution;
  return (
    <div className={`notice ${status === 'done' ? 'ok' : 'bad'}`}>
      <div className="row">
        <strong>
          {text.execution}: {words.execution[status]}
        </strong>
        <Time at={startedAt} />
        <span className="muted">
          {text.took} {formats.duration(endedAt - startedAt)}
        </span>
        {reconciled ? <Badge>{text.reconciled}</Badge> : null}
      </div>
      <code className="wrap">{detail}</code>
      <p className="muted wrap">
        {text.executor} {executor} · {text.key} <code>{key}</code>
      </p>
    </div>
  );
}

function Others(props: { readonly title: string; readonly actions: readonly ProposedAction[] }) {
  const words = useText(incidentWords);
  if (!props.actions.length) return null;
  return (
    <div className="stack">
      <h3>{props.title}</h3>
      <ul className="stack">
        {props.actions.map(({ id, operation, service, reason, risk }) => (
          <li key={id} className="wrap">
            <strong>
              {words.operation[operation]}, {service}
            </strong>{' '}
            <Badge tone={RISK_TONE[risk]}>{words.risk[risk]}</Badge> <span className="muted">{reason}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
