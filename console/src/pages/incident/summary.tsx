import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Incident, IncidentFact } from '../../domains/incident/records.ts';
import { incidentWords } from '../../domains/incident/text.ts';
import { useFormats, useText } from '../../domains/language/language.tsx';
import { Section } from '../../ui/page.tsx';
import { Time, useNow } from '../../ui/time.tsx';
import { checkLine } from './check-line.ts';
import { standing } from './standing.ts';
import { incidentText } from './text.ts';

/** What a person who was just woken up needs: what, why, what is proposed, where it stands. */
export function Summary(props: { readonly incident: Incident; readonly facts: readonly IncidentFact[] }) {
  const { incident, facts } = props;
  const { summary: text, recovery } = useText(incidentText);
  const words = useText(incidentWords);
  const formats = useFormats();
  const { rca, action } = incident;
  const [cause] = rca?.hypotheses ?? [];
  const [checked] = incident.recovery?.checks ?? [];
  return (
    <Section title={text.title}>
      <div className="stack-16">
        <div className="answers">
          <Answer title={text.wrong}>
            <p>{incident.title}</p>
            <p className="muted">{text.firing(incident.firing, incident.alerts)}</p>
          </Answer>
          <Answer title={text.why}>
            {cause && rca?.status === 'concluded' ? (
              <>
                <p>
                  <strong>{words.category[cause.category]}</strong>
                  {cause.service ? `, ${cause.service}` : ''}
                </p>
                <p className="muted">
                  {text.confidence(formats.percent(cause.confidence))} · {text.rests(cause.supports.length)}
                </p>
              </>
            ) : (
              <p>{rca ? text.inconclusive : text.notYet}</p>
            )}
          </Answer>
          <Answer title={text.proposed}>
            {action ? (
              <>
                <p>
                  <strong>{words.operation[action.operation]}</strong>, {action.service}
                </p>
                <p className="muted">{words.risk[action.risk]}</p>
              </>
            ) : (
              <p>{text.noAction}</p>
            )}
          </Answer>
          <Answer title={text.now}>
            <p>
              <strong>{words.state[incident.state]}</strong>
            </p>
            <p className="muted wrap">
              {standing(incident, facts, text) ??
                (checked ? checkLine(checked, formats, { ...recovery, dimension: words.dimension }) : '')}
            </p>
          </Answer>
        </div>
        <Figures incident={incident} />
        {incident.explanation === undefined ? null : (
          <blockquote className="notice">
            <p className="wrap pre">{incident.explanation}</p>
            <footer className="muted">{text.explanation}</footer>
          </blockquote>
        )}
      </div>
    </Section>
  );
}

function Answer({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div>
      <h3 className="muted">{title}</h3>
      {children}
    </div>
  );
}

function Figures({ incident }: { readonly incident: Incident }) {
  const { summary: text, regroup } = useText(incidentText);
  const formats = useFormats();
  const now = useNow(incident.closedAt === undefined ? 1_000 : 60_000);
  const lasted = (incident.closedAt ?? now) - new Date(incident.startsAt).getTime();
  const items: readonly (readonly [string, ReactNode])[] = [
    [text.affected, incident.services.join(', ') || '–'],
    [text.since, <Time key="since" at={incident.startsAt} />],
    [text.lasted, formats.duration(lasted)],
    [text.source, incident.source],
    ...(incident.mergedInto === undefined
      ? []
      : [
          [
            regroup.partOf,
            <Link key="partOf" to={`/incidents/${encodeURIComponent(incident.mergedInto)}`}>
              {incident.mergedInto}
            </Link>,
          ] as const,
        ]),
    ...(incident.openedBy === undefined ? [] : [[text.openedBy, incident.openedBy] as const]),
    [text.round, incident.round],
  ];
  return (
    <dl className="figures">
      {items.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
