import type { Finding } from '../finding.ts';
import type { PlaceCase } from '../model/case-features.ts';
import { FITTED } from '../model/parameters.ts';
import { placeScore } from '../model/posterior.ts';

/** A place of the fault, with what speaks for it and how likely it is. */
export interface SuspectService {
  readonly service: string;
  readonly score: number;
  readonly share: number;
  /** The strongest first. */
  readonly findings: readonly Finding[];
}

/** Places that anything speaks for, the likeliest first. */
export function rankServices(places: readonly PlaceCase[], shares: readonly number[]): SuspectService[] {
  return places
    .map((place, at) => ({
      service: place.service,
      score: placeScore(place, FITTED),
      share: shares[at] as number,
      findings: place.findings.toSorted(byWeight),
    }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.share - one.share || (one.service < other.service ? -1 : 1));
}

export const weightOf = ({ source, strength }: Finding): number =>
  strength * Math.min(1, FITTED.place[source]);

const byWeight = (one: Finding, other: Finding): number =>
  weightOf(other) - weightOf(one) || (one.evidence.summary.en < other.evidence.summary.en ? -1 : 1);
