import type { Incident, IncidentFact } from '../../domains/incident/records.ts';

interface Words {
  readonly expired: string;
  readonly notEnded: string;
  denied(by: string): string;
  refused(why: string): string;
  failed(detail: string): string;
}

const NEW_ROUND = new Set<IncidentFact['type']>(['evidence.collected', 'rca.concluded', 'rca.inconclusive']);

/** Why an incident stands where it does. What happened last tells it in any language; the note was written in one. */
export function standing(
  { note }: Pick<Incident, 'note'>,
  facts: readonly IncidentFact[],
  words: Words,
): string | undefined {
  if (note === undefined) return undefined;
  for (const fact of facts.toReversed()) {
    const told = toldBy(fact, words);
    if (told !== undefined) return told;
    if (NEW_ROUND.has(fact.type)) break;
  }
  return note;
}

function toldBy({ type, data }: IncidentFact, words: Words): string | undefined {
  switch (type) {
    case 'approval.denied':
      return words.denied(data.by);
    case 'approval.expired':
      return words.expired;
    case 'execution.refused':
      return words.refused(data.why);
    case 'execution.finished':
      return data.execution.status === 'done' ? undefined : words.failed(data.execution.detail);
    case 'recovery.failed':
      return words.notEnded;
    default:
      return undefined;
  }
}
