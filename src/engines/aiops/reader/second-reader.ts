import type { Change, Incident, Rca, Reading } from '#spec/data';
import type { IncidentDeps, Occasion } from '../incident-deps.ts';
import { askedReading, readDiagnosis, unanswered } from './read-diagnosis.ts';
import { type WeighedReading, weighReading } from './weigh-reading.ts';
import { words } from './words.ts';

export interface SecondReading extends Pick<WeighedReading, 'rca'> {
  readonly reading?: Reading;
  /** Whether it is news. */
  readonly fresh: boolean;
}

/**
 * A diagnosis as a second reader leaves it. A model is asked once in the life of an incident: about its first conclusion,
 * or about the last look where there is none. That it was asked is kept before it is, so that neither a crash nor a further
 * round asks again; what it said holds for the rounds after.
 */
export async function secondReading(
  incident: Incident,
  diagnosis: { readonly rca: Rca; readonly changes: readonly Change[] },
  deps: Pick<IncidentDeps, 'reader' | 'store' | 'settings' | 'now'>,
  { key, round, signal }: Occasion,
): Promise<SecondReading> {
  const { rca } = diagnosis;
  const kept = incident.reading;
  if (kept) {
    const fresh = kept.outcome === 'asked';
    const reading = fresh ? unanswered(kept, words.interrupted) : kept;
    return {
      ...weighReading(rca, { ...reading, evidence: kept.round === round ? reading.evidence : [] }),
      fresh,
    };
  }
  const { mostRounds, language } = deps.settings;
  const isDue = rca.status === 'concluded' || (rca.status === 'inconclusive' && round >= mostRounds);
  const reader = isDue && rca.hypotheses.length ? await deps.reader() : undefined;
  if (!reader) return { rca, fresh: false };
  const request = { incident, ...diagnosis, reader, round, language, signal };
  const patch = { reading: askedReading(request) };
  await deps.store.record(incident.id, { key: `${key} reader`, facts: [], patch }, deps.now());
  return { ...weighReading(rca, await readDiagnosis(request)), fresh: true };
}
