import type { Incident } from '../../domains/incident/records.ts';
import { useText } from '../../domains/language/language.tsx';
import { Section } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { EvidenceCard } from './evidence-card.tsx';
import { incidentText } from './text.ts';

/** Everything that was looked up. What the likeliest hypothesis cites comes first; the rest is folded away. */
export function EvidenceSection({ incident }: { readonly incident: Incident }) {
  const { evidence: text } = useText(incidentText);
  const all = incident.rca?.evidence ?? [];
  const [top] = incident.rca?.hypotheses ?? [];
  const cited = new Set([...(top?.supports ?? []), ...(top?.refutes ?? [])]);
  const first = cited.size ? all.filter(({ id }) => cited.has(id)) : all;
  const others = all.filter((each) => !first.includes(each));
  const cards = (list: typeof all) => (
    <div className="evidence">
      {list.map((each) => (
        <EvidenceCard key={each.id} incident={incident} evidence={each} />
      ))}
    </div>
  );
  return (
    <Section title={text.title} count={all.length}>
      {all.length === 0 ? <Empty title={text.none} /> : null}
      <div className="stack-16">
        {first.length ? cards(first) : null}
        {others.length ? (
          <details>
            <summary className="muted">{text.others(others.length)}</summary>
            <div className="folded">{cards(others)}</div>
          </details>
        ) : null}
      </div>
    </Section>
  );
}
