import type { Language } from '#kit/language';
import type { Spoken } from '#kit/text';
import type { Alert, EvidenceResult, Incident, IncidentFact, IncidentMember } from '#spec/data';

/** Everything that a report is written from, as it is kept. */
export interface ReportRecords extends Omit<ReportInput, 'incident' | 'facts' | 'members'> {
  readonly incident: Incident;
  readonly members: readonly IncidentMember[];
  readonly facts: readonly IncidentFact[];
}

/** The same for its reader. */
export interface ReportInput {
  readonly incident: Spoken<Incident>;
  /** In order. */
  readonly facts: readonly Spoken<IncidentFact>[];
  readonly alerts: readonly Alert[];
  /** All of them by name and service, and why they belong together. */
  readonly members: readonly Spoken<IncidentMember>[];
  /** What each piece of evidence rests on, by its id. */
  readonly results: Readonly<Record<string, EvidenceResult>>;
  readonly language: Language;
}

/** When it was over, ms since the epoch; undefined while it is not. */
export function endOf({ incident, alerts }: Pick<ReportInput, 'incident' | 'alerts'>): number | undefined {
  const { recovery, state, closedAt } = incident;
  if (state === 'recovered' && recovery) return recovery.at;
  const ends = alerts.map(({ status, endsAt }) =>
    status === 'resolved' && endsAt ? Date.parse(endsAt) : Number.NaN,
  );
  if (state === 'resolved' && ends.length && ends.every((end) => Number.isFinite(end)))
    return Math.max(...ends);
  return closedAt;
}

/** When the first fact of a kind was written, ms since the epoch. */
export function firstAt(
  facts: readonly Spoken<IncidentFact>[],
  type: IncidentFact['type'],
): number | undefined {
  const found = facts.find((fact) => fact.type === type);
  return found ? Date.parse(found.at) : undefined;
}
