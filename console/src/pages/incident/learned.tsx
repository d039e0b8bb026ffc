import { Link } from 'react-router';
import type { Prior } from '#spec/data';
import type { Incident } from '../../domains/incident/records.ts';
import { useFormats, useText } from '../../domains/language/language.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Facts, Section } from '../../ui/page.tsx';
import { incidentText } from './text.ts';

/** Where the lessons of the incident went. */
export function Learned({ incident: { lesson } }: { readonly incident: Incident }) {
  const { learned: text } = useText(incidentText);
  if (!lesson) return null;
  const { memories, skill, workflow, knowledge, evalCase, trajectory } = lesson;
  const places: readonly (readonly [string, string | undefined])[] = [
    [text.skill, skill],
    [text.workflow, workflow],
    [text.knowledge, knowledge],
    [text.evalCase, evalCase],
    [text.trajectory, trajectory],
    [text.memories, memories.join(', ') || undefined],
  ];
  return (
    <Section title={text.title}>
      <Facts
        items={places.flatMap(([name, value]) =>
          value === undefined ? [] : [[name, <code key={name}>{value}</code>] as const],
        )}
      />
    </Section>
  );
}

/** What memory knows, set apart from what was measured now. */
export function Priors({ incident: { priors } }: { readonly incident: Incident }) {
  const { priors: text } = useText(incidentText);
  if (!priors?.length) return null;
  return (
    <Section title={text.title} count={priors.length}>
      <div className="stack">
        <p className="muted">{text.note}</p>
        <ul className="stack">
          {priors.map((prior) => (
            <li key={`${prior.source} ${prior.ref}`} className="notice">
              <PriorLine prior={prior} />
            </li>
          ))}
        </ul>
      </div>
    </Section>
  );
}

function PriorLine({ prior: { text: told, source, ref, score, fixedBy } }: { readonly prior: Prior }) {
  const { priors: text } = useText(incidentText);
  const formats = useFormats();
  return (
    <>
      <div className="row">
        <Badge>{text.sources[source]}</Badge>
        {source === 'incident' ? (
          <Link to={`/incidents/${encodeURIComponent(ref)}`}>
            <code>{ref}</code>
          </Link>
        ) : (
          <code className="muted">{ref}</code>
        )}
        <span className="muted">{formats.number(score)}</span>
      </div>
      <p className="wrap">{told}</p>
      {fixedBy === undefined ? null : (
        <p>
          <span className="muted">{text.fixedBy}:</span> {fixedBy}
        </p>
      )}
    </>
  );
}
