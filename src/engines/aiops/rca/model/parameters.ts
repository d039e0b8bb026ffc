import fitted from './fitted.json' with { type: 'json' };
import type { FindingSource } from '../finding.ts';

/** What speaks for a place: the kinds of findings, and series that left their range whatever they measure. */
export type PlaceFeature = FindingSource | 'unnamed';
/** What speaks for a change, each the more the larger. */
export type ChangeFeature = keyof typeof fitted.change;
/** What speaks for an incident at all, each the more the larger. */
export type IncidentFeature = keyof typeof fitted.incident;

/** The file names what it weighs. */
const namesOf = <Name extends string>(weights: Readonly<Record<Name, number>>): readonly Name[] =>
  Object.keys(weights) as Name[];
export const PLACE_FEATURES = namesOf<PlaceFeature>(fitted.place);
export const CHANGE_FEATURES = namesOf(fitted.change);
export const INCIDENT_FEATURES = namesOf(fitted.incident);

/** Few numbers, each fitted by `bench rca --fit`; every weight is at least 0, so that more evidence is never less. */
export interface Parameters {
  readonly place: Readonly<Record<PlaceFeature, number>>;
  /** How sharply a lead in evidence counts, and how unlikely a place is that the alerting service does not need. */
  readonly sharpness: number;
  readonly unneeded: number;
  readonly change: Readonly<Record<ChangeFeature, number>>;
  /** The odds of a change about which nothing is known, at the place itself, beside it and anywhere. */
  readonly changeBias: number;
  readonly beside: number;
  readonly anywhere: number;
  /** The odds of more traffic: from how many times as much on, and how much less for what one place has beyond it. */
  readonly surge: { readonly bias: number; readonly fold: number; readonly beyond: number };
  readonly namedBias: number;
  readonly incident: Readonly<Record<IncidentFeature, number>>;
  readonly incidentBias: number;
  /** Where the alert names a service only, or nothing at all. */
  readonly serviceAlertBias: number;
  readonly vagueAlertBias: number;
  /**
   * Of releases and settings that are tied to the symptoms exactly and lead: from which share on they were drawn on, and
   * the lower bound of how many of them were right.
   */
  readonly tied: { readonly said: number; readonly right: number };
  /** What came true of what was said, out of fold: rising pairs. */
  readonly calibration: readonly (readonly [number, number])[];
}

export const FITTED: Parameters = fitted as unknown as Parameters;
