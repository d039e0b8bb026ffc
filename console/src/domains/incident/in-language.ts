import type { Incident, IncidentFact, ProposedAction, Rca } from '#spec/data';
import type { Language } from '../language/define-text.ts';

export const actionInLanguage = (one: ProposedAction, language: Language): ProposedAction => ({
  ...one,
  ...one.said?.[language],
});

/** What happened to an incident, the same way. `rca`: as it was recorded. */
export function factInLanguage(fact: IncidentFact, language: Language, rca: Rca | undefined): IncidentFact {
  if (fact.type === 'action.proposed')
    return { ...fact, data: { ...fact.data, action: actionInLanguage(fact.data.action, language) } };
  if (language === 'en') return fact;
  if (fact.type === 'rca.concluded')
    return { ...fact, data: { ...fact.data, summary: causeIn(fact.data.summary, language, rca) } };
  if (fact.type === 'rca.inconclusive')
    return { ...fact, data: { ...fact.data, summary: causeIn(fact.data.summary, language, rca) } };
  return fact;
}

/** The summary of a cause ends with why its hypothesis is held. */
function causeIn(summary: string, language: 'zh', rca: Rca | undefined): string {
  const held = rca?.hypotheses.find(({ why, said }) => said && summary.endsWith(why));
  const said = held?.said?.[language];
  return held && said !== undefined ? `${summary.slice(0, -held.why.length)}${said}` : summary;
}

/**
 * An incident with its sentences in the language of the reader, as far as the record has them: summaries of evidence, why
 * hypotheses are held, reasons of actions. What an older record lacks stays as it was written.
 */
export function inLanguage(incident: Incident, language: Language): Incident {
  const { rca, action, alternatives, tried } = incident;
  return {
    ...incident,
    ...(rca && language !== 'en'
      ? {
          rca: {
            ...rca,
            evidence: rca.evidence.map((one) => ({ ...one, summary: one.said?.[language] ?? one.summary })),
            hypotheses: rca.hypotheses.map((one) => ({ ...one, why: one.said?.[language] ?? one.why })),
          },
        }
      : {}),
    ...(action ? { action: actionInLanguage(action, language) } : {}),
    ...(alternatives ? { alternatives: alternatives.map((one) => actionInLanguage(one, language)) } : {}),
    ...(tried ? { tried: tried.map((one) => actionInLanguage(one, language)) } : {}),
  };
}
