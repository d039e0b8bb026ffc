import { posterior, type RcaParameters as Parameters, releaseOf } from '#engines/aiops';
import { climb } from './climb.ts';
import { isotonic } from './isotonic.ts';
import { type LabelledCase, SIMULATED } from './labelled-case.ts';
import { lowerBound } from './lower-bound.ts';
import { KNOBS, parametersOf, startOf } from './parameter-vector.ts';

/** How far the numbers may leave what is believed before any case: set so that systems left out do best. */
const HOLD = 0.05;
const STEPS = 120;
/** All recordings together count as much as this share of the drawn cases. */
const RECORDED_SHARE = 0.3;
/** An alert about nothing is as likely as one about something, whatever the mix of the cases. */
const LEAST = 1e-6;

const EMPTY = {
  place: {},
  change: {},
  incident: {},
  tied: { said: 1, right: 0 },
  calibration: [
    [0, 0],
    [1, 1],
  ],
} as unknown as Parameters;

/** The numbers under which the truth of these cases is likeliest. */
export function fitParameters(cases: readonly LabelledCase[]): Parameters {
  const weights = weightsOf(cases);
  const knobs = (of: 'cause' | 'incident') => KNOBS.filter((knob) => knob.of === of);
  const start = parametersOf(startOf(KNOBS), KNOBS, EMPTY);
  const search = (
    of: 'cause' | 'incident',
    base: Parameters,
    likelihood: (parameters: Parameters) => number,
  ) => {
    const chosen = knobs(of);
    const priors = startOf(chosen);
    const height = (values: readonly number[]): number =>
      likelihood(parametersOf(values, chosen, base)) -
      (HOLD / 2) * values.reduce((sum, value, at) => sum + (value - (priors[at] as number)) ** 2, 0);
    return parametersOf(climb(height, priors, STEPS), chosen, base);
  };
  const faulty = cases.filter(({ faulty: is, right }) => is && isNameable(right));
  const causes = search('cause', start, (parameters) =>
    average(faulty, weights, (one) => Math.log(rightShare(one, parameters) + LEAST)),
  );
  return search('incident', causes, (parameters) =>
    average(cases, evenly(cases, weights), ({ given, faulty: is }) => {
      const { incident } = posterior(given, parameters);
      return Math.log((is ? incident : 1 - incident) + LEAST);
    }),
  );
}

/** What was told first of a case, by numbers that were not fitted on it. */
export type Told = ReturnType<typeof firstOf>;

/** What is said, calibrated by what came true. */
export const calibrate = (parameters: Parameters, told: readonly Told[]): Parameters => ({
  ...parameters,
  calibration: isotonic(told.filter(({ blames }) => blames)),
});

/**
 * From which share on releases that are tied exactly were right so often that undoing them is allowed: the least one of
 * which the lower bound is high enough, on cases that the numbers were not fitted on.
 */
export function boundTied(parameters: Parameters, told: readonly Told[], needed: number): Parameters {
  const tied = told
    .flatMap(({ blames, tied: said, right }) => (blames && said !== undefined ? [{ said, right }] : []))
    .toSorted((one, other) => other.said - one.said);
  let [hits, best] = [0, { said: 1, right: 0 }];
  for (const [at, { said, right }] of tied.entries()) {
    hits += right ? 1 : 0;
    const bound = lowerBound(hits, at + 1);
    if (bound >= needed) best = { said, right: bound };
  }
  return { ...parameters, tied: best };
}

/** The first hypothesis of a case, and whether it is right; of a release that is tied exactly how likely all of it is. */
export function firstOf(
  { given, right, faulty }: LabelledCase,
  parameters: Parameters,
): { said: number; right: boolean; blames: boolean; tied: number | undefined } {
  const likely = posterior(given, parameters);
  const changes = likely.changes.map((share, at) => ({ share, right: right.changes[at], change: at }));
  const all: { share: number; right: boolean | undefined; change?: number }[] = [
    ...likely.places.map((share, at) => ({ share, right: right.places[at] })),
    ...changes,
    { share: likely.surge, right: right.surge },
    ...likely.named.map((share, at) => ({ share, right: right.named[at] })),
  ];
  const best = all.reduce((one, other) => (other.share > one.share ? other : one), {
    share: 0,
    right: false,
  });
  const blames = likely.incident >= 0.5;
  const release = releaseOf(best.change ?? -1, given.changes, likely.changes);
  const isRight = release.tied ? release.changes.some((at) => right.changes[at]) : best.right === true;
  return {
    said: best.share * likely.incident,
    right: blames ? faulty && isRight : !faulty,
    blames,
    tied: release.tied ? release.share * likely.incident : undefined,
  };
}

const isNameable = ({ places, changes, surge, named }: LabelledCase['right']): boolean =>
  surge || [...places, ...changes, ...named].some(Boolean);

function rightShare({ given, right }: LabelledCase, parameters: Parameters): number {
  const likely = posterior(given, parameters);
  const sum = (shares: readonly number[], are: readonly boolean[]): number =>
    shares.reduce((total, share, at) => total + (are[at] ? share : 0), 0);
  return (
    sum(likely.places, right.places) +
    sum(likely.changes, right.changes) +
    sum(likely.named, right.named) +
    (right.surge ? likely.surge : 0)
  );
}

function average(
  cases: readonly LabelledCase[],
  weights: ReadonlyMap<LabelledCase, number>,
  worth: (one: LabelledCase) => number,
): number {
  let [sum, total] = [0, 0];
  for (const one of cases) {
    const weight = weights.get(one) ?? 0;
    sum += weight * worth(one);
    total += weight;
  }
  return sum / total;
}

/** Every recorded system counts the same, however many cases it has. */
function weightsOf(cases: readonly LabelledCase[]): Map<LabelledCase, number> {
  const systems = Map.groupBy(cases, ({ system }) => system);
  const recorded = [...systems.keys()].filter((system) => system !== SIMULATED).length;
  const drawn = systems.get(SIMULATED)?.length ?? 0;
  return new Map(
    cases.map((one) => [
      one,
      one.system === SIMULATED
        ? 1
        : (RECORDED_SHARE * drawn) / recorded / (systems.get(one.system)?.length ?? 1),
    ]),
  );
}

/** As many with an incident as without, by weight. */
function evenly(
  cases: readonly LabelledCase[],
  weights: ReadonlyMap<LabelledCase, number>,
): Map<LabelledCase, number> {
  const sums = { true: 0, false: 0 };
  for (const one of cases) sums[`${one.faulty}`] += weights.get(one) ?? 0;
  return new Map(cases.map((one) => [one, (weights.get(one) ?? 0) / sums[`${one.faulty}`]]));
}
