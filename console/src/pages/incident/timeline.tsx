import type { Alert } from '#spec/data';
import type { IncidentFact } from '../../domains/incident/records.ts';
import { incidentWords } from '../../domains/incident/text.ts';
import { useFormats, useText } from '../../domains/language/language.tsx';
import { SeverityMark } from '../../domains/incident/marks.tsx';
import { Badge, Dot } from '../../ui/badge.tsx';
import { OutLink } from '../../ui/link.tsx';
import { Section } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { factLine, factTone } from './fact-line.ts';
import { incidentText } from './text.ts';

/** Everything that happened, in order, live. */
export function Timeline({ facts }: { readonly facts: readonly IncidentFact[] }) {
  const { timeline: text, recovery } = useText(incidentText);
  const words = useText(incidentWords);
  const formats = useFormats();
  const told = { ...words, ...recovery, ...text };
  return (
    <Section title={text.title} count={facts.length}>
      <ol className="timeline" aria-live="polite">
        {facts.map((fact) => {
          const line = factLine(fact, formats, told);
          return (
            <li key={fact.id}>
              <Dot tone={factTone(fact.type)} />
              <div>
                <div className="row spread">
                  <span>{words.fact[fact.type]}</span>
                  <span className="muted">
                    <Time at={fact.at} />
                  </span>
                </div>
                {line ? <p className="muted wrap">{line}</p> : null}
              </div>
            </li>
          );
        })}
      </ol>
    </Section>
  );
}

export function Alerts({ alerts }: { readonly alerts: readonly Alert[] }) {
  const { timeline: text } = useText(incidentText);
  const formats = useFormats();
  return (
    <Section title={text.alerts} count={alerts.length}>
      <ul className="stack-16">
        {alerts.map((alert) => (
          <li key={alert.fingerprint} className="stack tight">
            <div className="row">
              <SeverityMark severity={alert.severity} />
              <Badge tone={alert.status === 'firing' ? 'bad' : 'ok'}>{text[alert.status]}</Badge>
              <span className="muted">
                <Time at={alert.startsAt} />
                {alert.endsAt === undefined
                  ? null
                  : ` · ${formats.duration(new Date(alert.endsAt).getTime() - new Date(alert.startsAt).getTime())}`}
              </span>
            </div>
            <p className="wrap">
              <OutLink to={alert.link}>{alert.title}</OutLink>
            </p>
            {alert.annotations['description'] === undefined ? null : (
              <p className="muted wrap">{alert.annotations['description']}</p>
            )}
            <p className="labels">
              {Object.entries(alert.labels).map(([name, value]) => (
                <code key={name} className="wrap">
                  {name}={value}
                </code>
              ))}
            </p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
