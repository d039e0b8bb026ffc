import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Evidence, Incident } from '../../domains/incident/records.ts';
import { queries } from '../../domains/api/queries.ts';
import { metricUnit } from '../../domains/format/metric-unit.ts';
import { incidentWords } from '../../domains/incident/text.ts';
import { useFormats, useText } from '../../domains/language/language.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Copy } from '../../ui/copy.tsx';
import { OutLink } from '../../ui/link.tsx';
import { Facts } from '../../ui/page.tsx';
import { Loading } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { EvidenceView } from './evidence-view.tsx';
import { incidentText } from './text.ts';

/** One thing that was looked up: what it says, what exactly was measured, and how to ask for it again. */
export function EvidenceCard({
  incident,
  evidence,
}: {
  readonly incident: Incident;
  readonly evidence: Evidence;
}) {
  const { evidence: text } = useText(incidentText);
  const words = useText(incidentWords);
  const formats = useFormats();
  const unit = metricUnit(evidence.query.split('{')[0] ?? '');
  const { baseline, during, at, query, source, link, window, score } = evidence;
  return (
    <article className="evidence-card" id={evidence.id}>
      <header className="row spread">
        <span className="row">
          <Badge>{words.evidence[evidence.kind]}</Badge>
          <code className="muted">{evidence.id}</code>
        </span>
        {baseline === undefined || during === undefined ? null : (
          <span className="nowrap">
            <span className="muted">{text.usual}</span> {formats.quantity(baseline, unit)}{' '}
            <span className="muted">→ {text.during}</span> <strong>{formats.quantity(during, unit)}</strong>
          </span>
        )}
      </header>
      <p className="wrap">{evidence.summary}</p>
      <Measured incident={incident} evidence={evidence} />
      <Facts
        items={[
          [
            text.query,
            <span key="q" className="row tight">
              <code className="wrap">{query || '–'}</code>
              {query ? <Copy text={() => query} /> : null}
            </span>,
          ],
          [
            text.source,
            <span key="s" className="row tight">
              {source ?? '–'}
              {link === undefined ? null : <OutLink to={link}>{text.open}</OutLink>}
            </span>,
          ],
          [
            text.window,
            <span key="w">
              <Time at={window.start} /> – <Time at={window.end} />
            </span>,
          ],
          ...(at === undefined ? [] : [[text.since, <Time key="a" at={at} />] as const]),
          [text.score, formats.number(score)],
        ]}
      />
    </article>
  );
}

/** Asks for the numbers once the card comes near: an incident may have a hundred of them. */
function Measured({ incident, evidence }: { readonly incident: Incident; readonly evidence: Evidence }) {
  const { evidence: text } = useText(incidentText);
  const place = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(false);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) setNear(true);
      },
      { rootMargin: '400px' },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const { data, error } = useQuery({
    ...queries.evidence(incident.id, incident.round, evidence.id),
    enabled: near && evidence.kind !== 'gap',
  });
  return (
    <div ref={place} className="measured">
      {data ? <EvidenceView result={data} evidence={evidence} incident={incident} /> : null}
      {error ? <p className="muted">{text.noResult}</p> : null}
      {!data && !error && near && evidence.kind !== 'gap' ? <Loading /> : null}
    </div>
  );
}
