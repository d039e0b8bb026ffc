import {
  CHANGE_FEATURES,
  INCIDENT_FEATURES,
  PLACE_FEATURES,
  type RcaParameters as Parameters,
} from '#engines/aiops';

/** One number of the model as the search moves it. Weights are moved by their logarithm, so they stay above 0. */
interface Knob {
  readonly of: 'cause' | 'incident';
  readonly way: 'log' | 'plain';
  /** What is believed before any case was seen. */
  readonly prior: number;
  readonly set: (into: Draft, value: number) => void;
}
type Draft = { -readonly [Key in keyof Parameters]: Parameters[Key] };

/**
 * Before any case: what is of one service alone tells the place; what is shared with callers tells it less, and what is
 * as loud at the victims still less. Words, time and place tell of a change about as much as their logarithms say. Where
 * the symptoms themselves say what is wrong, ten to one it is that.
 */
const [ALONE, SHARED, LOUD] = [1, 0.7, 0.5];
const PRIOR = {
  place: {
    resource: ALONE,
    call_edge: ALONE,
    log_flow: ALONE,
    version: ALONE,
    store: ALONE,
    silence: ALONE,
    latency: SHARED,
    errors: SHARED,
    error_origin: SHARED,
    self_time: LOUD,
    log_burst: LOUD,
    unnamed: LOUD,
  },
  sharpness: 1,
  unneeded: 2,
  change: { words: 1, tie: 1.5, forward: 1, risk: 0.5 },
  changeBias: 0,
  beside: 0.1,
  anywhere: 0.02,
  surge: { bias: 0, fold: 1, beyond: 1 },
  namedBias: 2.5,
} as const;

const SURGE = [
  ['bias', 'plain'],
  ['fold', 'log'],
  ['beyond', 'log'],
] as const;

export const KNOBS: readonly Knob[] = [
  ...PLACE_FEATURES.map(
    (name): Knob => ({
      of: 'cause',
      way: 'log',
      prior: PRIOR.place[name],
      set: (into, value) => (into.place = { ...into.place, [name]: value }),
    }),
  ),
  ...CHANGE_FEATURES.map(
    (name): Knob => ({
      of: 'cause',
      way: 'log',
      prior: PRIOR.change[name],
      set: (into, value) => (into.change = { ...into.change, [name]: value }),
    }),
  ),
  { of: 'cause', way: 'log', prior: PRIOR.sharpness, set: (into, value) => (into.sharpness = value) },
  { of: 'cause', way: 'log', prior: PRIOR.unneeded, set: (into, value) => (into.unneeded = value) },
  { of: 'cause', way: 'plain', prior: PRIOR.changeBias, set: (into, value) => (into.changeBias = value) },
  { of: 'cause', way: 'log', prior: PRIOR.beside, set: (into, value) => (into.beside = value) },
  { of: 'cause', way: 'log', prior: PRIOR.anywhere, set: (into, value) => (into.anywhere = value) },
  ...SURGE.map(
    ([name, way]): Knob => ({
      of: 'cause',
      way,
      prior: PRIOR.surge[name],
      set: (into, value) => (into.surge = { ...into.surge, [name]: value }),
    }),
  ),
  { of: 'cause', way: 'plain', prior: PRIOR.namedBias, set: (into, value) => (into.namedBias = value) },
  ...INCIDENT_FEATURES.map(
    (name): Knob => ({
      of: 'incident',
      way: 'log',
      prior: name === 'named' ? PRIOR.namedBias : 1,
      set: (into, value) => (into.incident = { ...into.incident, [name]: value }),
    }),
  ),
  { of: 'incident', way: 'plain', prior: 0, set: (into, value) => (into.incidentBias = value) },
  { of: 'incident', way: 'plain', prior: 0, set: (into, value) => (into.serviceAlertBias = value) },
  { of: 'incident', way: 'plain', prior: 0, set: (into, value) => (into.vagueAlertBias = value) },
];

export const startOf = (knobs: readonly Knob[]): number[] =>
  knobs.map(({ way, prior }) => (way === 'log' ? Math.log(prior) : prior));

export function parametersOf(
  values: readonly number[],
  knobs: readonly Knob[],
  base: Parameters,
): Parameters {
  const draft: Draft = { ...base };
  for (const [at, { way, set }] of knobs.entries())
    set(draft, way === 'log' ? Math.exp(values[at] as number) : (values[at] as number));
  return draft;
}
