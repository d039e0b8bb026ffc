import { joinTexts, type Text } from '#kit/text';
import type { Cause, Hypothesis, Rca, Reading } from '#spec/data';
import { namedCause } from '../names.ts';
import { CONCLUDE_FROM } from '../rca/diagnose.ts';
import { words } from './words.ts';

/**
 * By how much a reader's word multiplies the odds of what it names. Three is what the word of a reader is worth who is right
 * three times in eight among six choices (3/8 against 1/8 for each wrong one): little more than chance, because nobody
 * measured the model that is configured. It cannot put anything first that is less than a third as likely as what the
 * evidence puts there, and one model that is asked twice is one witness: the factor is not squared.
 */
const FACTOR = 3;

/** A change is the same whatever kind of trouble it is said to make; elsewhere place and kind tell. */
export const sameCause = (one: Cause, other: Cause): boolean =>
  one.change === undefined && other.change === undefined
    ? one.category === other.category && one.service === other.service
    : one.change === other.change;

export interface WeighedReading {
  readonly rca: Rca;
  readonly reading: Reading;
}

/**
 * A diagnosis with what a reader says of it. Probability moves between hypotheses by at most `FACTOR`; a hypothesis that
 * the reader was shown and does not name may no longer be undone; nothing may be undone, and nothing is concluded, that
 * was not before.
 */
export function weighReading(rca: Rca, reading: Reading): WeighedReading {
  const { outcome, verdict, shown, model, query } = reading;
  if (outcome !== 'answered' || !verdict || !rca.hypotheses.length) return { rca, reading };
  const [before] = rca.hypotheses;
  const share = moved(rca.hypotheses, verdict);
  const blocked: string[] = [];
  const hypotheses = rca.hypotheses
    .map((hypothesis): Hypothesis => {
      const confidence = Math.round(share(hypothesis) * 1000) / 1000;
      const isDoubted = !sameCause(hypothesis, verdict) && shown.some((one) => sameCause(one, hypothesis));
      const isBlocked = hypothesis.undo === true && isDoubted;
      if (isBlocked && hypothesis.change !== undefined) blocked.push(hypothesis.change);
      return {
        ...hypothesis,
        ...(isBlocked ? { undo: false } : {}),
        ...(confidence === hypothesis.confidence ? {} : { confidence, unread: hypothesis.confidence }),
      };
    })
    .toSorted((one, other) => other.confidence - one.confidence);
  const [first] = hypotheses;
  const stillSure = rca.status === 'concluded' && first !== undefined && first.confidence >= CONCLUDE_FROM;
  const said = joinTexts(
    [
      ...opinion(model, verdict, before, first, hypotheses),
      ...blocked.map((change) => words.blocked(change)),
    ],
    { en: ' ', zh: '' },
  );
  return {
    rca: {
      ...rca,
      status: stillSure ? 'concluded' : 'inconclusive',
      hypotheses,
      ...(rca.nextQuery === undefined && query ? { nextQuery: query } : {}),
    },
    reading: { ...reading, said },
  };
}

/** Bayes with a likelihood ratio of `FACTOR`; what no hypothesis has is left for "none of these". */
function moved(hypotheses: readonly Hypothesis[], verdict: Cause): (hypothesis: Hypothesis) => number {
  const named = hypotheses.find((hypothesis) => sameCause(hypothesis, verdict));
  const told = Math.min(
    1,
    hypotheses.reduce((sum, { confidence }) => sum + confidence, 0),
  );
  const chosen = named?.confidence ?? (verdict.category === 'none' ? 1 - told : 0);
  const whole = 1 + (FACTOR - 1) * chosen;
  return (hypothesis) => (hypothesis.confidence * (hypothesis === named ? FACTOR : 1)) / whole;
}

function opinion(
  model: string,
  verdict: Cause,
  before: Hypothesis | undefined,
  first: Hypothesis | undefined,
  all: readonly Hypothesis[],
): Text[] {
  if (verdict.category === 'none') return [words.namesNone(model)];
  const { category, service, change } = verdict;
  const cause = joinTexts(
    [namedCause(category), ...[service, change].filter((name) => name !== undefined)],
    ', ',
  );
  if (before && sameCause(before, verdict)) return [words.agrees(model, cause)];
  const isFirst = first !== undefined && sameCause(first, verdict);
  const isThere = all.some((hypothesis) => sameCause(hypothesis, verdict));
  return [words.namesOther(model, cause), isFirst ? words.movedFirst : isThere ? words.stayed : words.gone];
}
