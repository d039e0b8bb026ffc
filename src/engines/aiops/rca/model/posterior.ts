import type { CaseFeatures, ChangeCase, PlaceCase } from './case-features.ts';
import { CHANGE_FEATURES, INCIDENT_FEATURES, type Parameters, PLACE_FEATURES } from './parameters.ts';

/** What each hypothesis of one incident is worth, given that there is one, and how likely there is. */
export interface Posterior {
  readonly incident: number;
  /** In the order of the case; together with the others they are 1. */
  readonly places: readonly number[];
  readonly changes: readonly number[];
  readonly surge: number;
  readonly named: readonly number[];
}

/** What nobody has: places without any evidence are alike. */
const TRACE = 0.02;

/**
 * A fault is at one place; a change that the place runs takes over from it by the odds of the change. So a service and
 * its release are one story, and a change far from the evidence has little to take over.
 */
export function posterior(given: CaseFeatures, parameters: Parameters): Posterior {
  const scores = given.places.map((place) => placeScore(place, parameters));
  const left = Math.max(0, ...scores);
  const weightOf = (score: number): number => (TRACE + score) ** parameters.sharpness;
  const weights = given.places.map(
    ({ needed }, at) => weightOf(scores[at] as number) * (needed ? 1 : Math.exp(-parameters.unneeded)),
  );
  const all = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  const shares = weights.map((weight) => weight / all);
  const sumAt = (places: readonly number[]): number =>
    places.reduce((sum, at) => sum + (shares[at] as number), 0);
  const changes = given.changes.map((change) => {
    const place = sumAt(change.at) + parameters.beside * sumAt(change.beside) + parameters.anywhere;
    const { timely, effective } = change.suspect;
    // It must have come first, and it must run.
    return place * timely * effective.sure * Math.exp(changeLogit(change, parameters));
  });
  // More traffic explains what is slow anywhere; what one place has beyond that it does not.
  const { bias, fold, beyond } = parameters.surge;
  const surge = given.surge === undefined ? 0 : Math.exp(bias + fold * given.surge - beyond * left);
  const named = given.named.map(() => Math.exp(parameters.namedBias));
  const total = [...shares, ...changes, surge, ...named].reduce((sum, mass) => sum + mass, 0) || 1;
  const part = (mass: number): number => mass / total;
  return {
    incident: incidentChance(given, left, parameters),
    places: shares.map(part),
    changes: changes.map(part),
    surge: part(surge),
    named: named.map(part),
  };
}

export function placeScore({ features }: Pick<PlaceCase, 'features'>, { place }: Parameters): number {
  return PLACE_FEATURES.reduce((sum, name) => sum + place[name] * (features[name] ?? 0), 0);
}

const changeLogit = (
  { features }: Pick<ChangeCase, 'features'>,
  { change, changeBias }: Parameters,
): number => CHANGE_FEATURES.reduce((sum, name) => sum + change[name] * features[name], changeBias);

function incidentChance(
  { incident, alertIs, surge }: CaseFeatures,
  score: number,
  parameters: Parameters,
): number {
  const features = { ...incident, place: Math.log(TRACE + score), surge: surge ?? 0 };
  const bias = { series: 0, service: parameters.serviceAlertBias, vague: parameters.vagueAlertBias }[alertIs];
  const logit = INCIDENT_FEATURES.reduce(
    (sum, name) => sum + parameters.incident[name] * features[name],
    parameters.incidentBias + bias,
  );
  return 1 / (1 + Math.exp(-logit));
}
