import type { Hypothesis, Incident } from '../../domains/incident/records.ts';
import { incidentWords } from '../../domains/incident/text.ts';
import { useFormats, useText } from '../../domains/language/language.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Facts, Section } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { EvidenceLinks } from './evidence-link.tsx';
import { incidentText } from './text.ts';

/** All explanations side by side, with what speaks for and against each. */
export function Hypotheses({ incident: { rca, reading } }: { readonly incident: Incident }) {
  const { hypotheses: text } = useText(incidentText);
  const found = rca?.hypotheses ?? [];
  return (
    <Section title={text.title} count={found.length}>
      {found.length ? (
        <div className="stack-16">
          <ol className="hypotheses">
            {found.map((each, index) => (
              <li key={`${each.category} ${each.service ?? ''} ${each.change ?? ''}`}>
                <HypothesisCard hypothesis={each} first={index === 0} />
              </li>
            ))}
          </ol>
          {rca?.missing.length ? (
            <p>
              <span className="muted">{text.missing}:</span> {rca.missing.join('; ')}
            </p>
          ) : null}
          {rca?.nextQuery === undefined ? null : (
            <p>
              <span className="muted">{text.next}:</span> {rca.nextQuery}
            </p>
          )}
          {reading === undefined ? null : (
            <blockquote className="notice">
              <p className="wrap">{reading.said}</p>
              {reading.quote === undefined ? null : (
                <p className="wrap">
                  <q>{reading.quote}</q> <EvidenceLinks ids={reading.evidence} none="" />
                </p>
              )}
              <footer className="muted">{[text.reader, reading.query].filter(Boolean).join(' · ')}</footer>
            </blockquote>
          )}
        </div>
      ) : (
        <Empty title={text.none} />
      )}
    </Section>
  );
}

function HypothesisCard({ hypothesis, first }: { readonly hypothesis: Hypothesis; readonly first: boolean }) {
  const { hypotheses: text } = useText(incidentText);
  const words = useText(incidentWords);
  const formats = useFormats();
  const { category, service, change, confidence, supports, refutes, why } = hypothesis;
  return (
    <article className="hypothesis">
      <header className="row spread">
        <h3>
          {words.category[category]}
          {service === undefined ? '' : ` · ${service}`}
        </h3>
        <span className="row">
          {first ? <Badge strong>{text.likeliest}</Badge> : null}
          <span className="nowrap">{formats.percent(confidence)}</span>
        </span>
      </header>
      <div className="confidence" aria-hidden="true">
        <span style={{ width: `${confidence * 100}%` }} />
      </div>
      <p className="wrap">{why}</p>
      <Facts
        items={[
          [
            `${text.supports} (${supports.length})`,
            <EvidenceLinks key="s" ids={supports} none={text.nothing} />,
          ],
          [
            `${text.refutes} (${refutes.length})`,
            <EvidenceLinks key="r" ids={refutes} none={text.nothing} />,
          ],
          ...(change === undefined ? [] : [[text.change, <code key="c">{change}</code>] as const]),
        ]}
      />
    </article>
  );
}
