import type { Reading } from '#spec/data';
import type { AskModel } from '#spec/ports';
import { AppError } from '#kit/app-error';
import type { Text } from '#kit/text';
import { type CheckedAnswer, checkAnswer, type FoundedAnswer } from './check-answer.ts';
import { type ReaderQuestion, readerQuestions, type ReadMatter, shownCauses } from './reader-question.ts';
import { sameCause } from './weigh-reading.ts';
import { words } from './words.ts';

/** A model that reads diagnoses, by the name that people know it by. */
export interface Reader {
  readonly model: string;
  readonly ask: AskModel;
}

export interface ReadRequest extends ReadMatter {
  readonly reader: Reader;
  readonly round: number;
  readonly signal: AbortSignal;
  /** How long it may take; an incident does not wait for a model. */
  readonly patienceMs?: number;
}

const MAX_OUTPUT = 600;
const PATIENCE_MS = 40_000;

/** A reading before there is an answer. */
export const askedReading = ({ rca, reader: { model }, round }: ReadRequest): Reading => ({
  model,
  round,
  outcome: 'asked',
  said: words.asked(model),
  shown: shownCauses(rca),
  evidence: [],
});

/** One that never came to an answer, such as one of a process that ended. */
export const unanswered = (asked: Reading, why: Text): Reading => ({
  ...asked,
  outcome: 'unanswered',
  said: words.unanswered(asked.model, why),
});

/**
 * What a model makes of a diagnosis: asked twice, with the hypotheses in different orders, and only what both answers agree
 * on counts. It never fails an incident: whatever goes wrong is an outcome.
 */
export async function readDiagnosis(request: ReadRequest): Promise<Reading> {
  request.signal.throwIfAborted();
  const asked = askedReading(request);
  const answers = await Promise.all(
    readerQuestions(request).map(async (question) => answered(question, request)),
  );
  request.signal.throwIfAborted();
  const wrong =
    answers.find((one) => 'problem' in one && one.problem === 'unanswered') ??
    answers.find((one) => 'problem' in one);
  if (wrong && 'problem' in wrong)
    return wrong.problem === 'unanswered'
      ? unanswered(asked, wrong.why)
      : { ...asked, outcome: 'unfounded', said: words.unfounded(asked.model, wrong.why) };
  const [one, other] = answers.flatMap((each) => ('answer' in each ? each.answer : []));
  if (!one || !other || !sameCause(one.verdict, other.verdict))
    return { ...asked, outcome: 'divided', said: words.divided(asked.model) };
  const query = agreedQuery(one, other);
  return {
    ...asked,
    outcome: 'answered',
    verdict: one.verdict,
    evidence: [...new Set([...one.evidence, ...other.evidence])],
    quote: one.quote,
    ...(query ? { query } : {}),
  };
}

function agreedQuery({ query }: FoundedAnswer, other: FoundedAnswer): Text | undefined {
  const same = query && query.kind === other.query?.kind && query.service === other.query.service;
  return same ? words.query[query.kind](query.service) : undefined;
}

async function answered(
  question: ReaderQuestion,
  { reader, signal, patienceMs = PATIENCE_MS }: ReadRequest,
): Promise<CheckedAnswer> {
  const late = AbortSignal.timeout(patienceMs);
  const patience = AbortSignal.any([signal, late]);
  const impatient = new Promise<undefined>((resolve) => {
    patience.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  const because = (why: Text): CheckedAnswer => ({
    problem: 'unanswered',
    why: late.aborted ? words.late : why,
  });
  try {
    const asked = reader.ask([{ type: 'text', text: question.text }], {
      maxOutput: MAX_OUTPUT,
      signal: patience,
    });
    const text = await Promise.race([asked, impatient]);
    return patience.aborted ? because(words.silent) : checkAnswer(text, question);
  } catch (thrown) {
    if (patience.aborted || thrown instanceof AppError) return because(words.failed);
    throw thrown;
  }
}
