import type { Incident, IncidentFact, ProposedAction } from '#spec/data';
import type { Language } from '../language/define-text.ts';

const worded = (one: ProposedAction, language: Language): ProposedAction => ({
  ...one,
  ...one.said?.[language],
});

/** The same for what happened to it. */
export const factInLanguage = (fact: IncidentFact, language: Language): IncidentFact =>
  fact.type === 'action.proposed'
    ? { ...fact, data: { ...fact.data, action: worded(fact.data.action, language) } }
    : fact;

/**
 * An incident with its sentences in the language of the reader, as far as the record has them: summaries of evidence, why
 * hypotheses are held, reasons of actions. What an older record lacks stays as it was written.
 */
export function inLanguage(incident: Incident, language: Language): Incident {
  const { rca, action, alternatives } = incident;
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
    ...(action ? { action: worded(action, language) } : {}),
    ...(alternatives ? { alternatives: alternatives.map((one) => worded(one, language)) } : {}),
  };
}
