import { isRecord } from '#kit/is-record';
import { sleep } from '#kit/sleep';
import type { Attempt, FlowContext } from '#spec/ports';
import type { WorkflowStep } from '../file/workflow.ts';
import { callStep, type StepEnd } from './call-step.ts';
import { type Prepared, prepareStep } from './prepare-step.ts';
import type { StepFailure } from './run-records.ts';
import { type RunProgress, scopeAt, tell } from './run-state.ts';
import { putRecord } from './step-records.ts';
import { stepInput } from './step-input.ts';
import { wordsIn } from './words.ts';

const MOST_AT_ONCE = 8;

/** A failure that a step came to, before anything is done about it. */
export interface FailedStep {
  readonly step: WorkflowStep;
  readonly kinds: readonly string[];
  readonly message: string;
  readonly state: 'failed' | 'refused' | 'uncertain';
}

/**
 * Runs steps side by side and gives back those that failed for good. Everything is prepared and asked about first, one
 * after the other; all calls of a round are started together, so that a replay meets them in the same order.
 */
export async function runBatch(
  flow: FlowContext,
  progress: RunProgress,
  batch: readonly WorkflowStep[],
  round: number,
  failed?: StepFailure & { step: string },
): Promise<readonly FailedStep[]> {
  const failures: FailedStep[] = [];
  const ready: { step: WorkflowStep; prepared: Prepared }[] = [];
  for (const step of batch) {
    const prepared = await flow.step(nameOf(step, 'prepare', round), { effect: 'pure' }, async () =>
      prepareStep(step, progress, failed),
    );
    putPrepared(progress, step, prepared);
    const { failure } = prepared;
    if (failure)
      failures.push({ step, kinds: [failure.kind, 'failed'], message: failure.message, state: 'failed' });
    else if (prepared.decision === 'run') {
      const refusal = await ask(flow, progress, step, prepared, round);
      if (refusal) failures.push({ step, kinds: ['refused'], message: refusal, state: 'refused' });
      else ready.push({ step, prepared });
    }
  }
  for (let start = 0; start < ready.length; start += MOST_AT_ONCE) {
    let open = ready.slice(start, start + MOST_AT_ONCE);
    for (let number = 1; open.length > 0; number++) {
      const ends = await Promise.all(
        open.map(({ step, prepared }) => call(flow, progress, step, prepared, round, number, failed)),
      );
      const again: typeof open = [];
      for (const [i, end] of ends.entries()) {
        const one = open[i];
        if (!one) continue;
        putEnd(progress, one.step, end, number);
        if (end.ok) continue;
        const { kinds, message, uncertain } = end;
        const retries = uncertain || kinds.includes('refused') ? 0 : one.step.onFailure.retries;
        if (number <= retries) again.push(one);
        else failures.push({ step: one.step, kinds, message, state: stateOf(end) });
      }
      open = again;
    }
  }
  return failures;
}

const nameOf = ({ id }: WorkflowStep, what: string, round: number): string =>
  round === 1 ? `${id} ${what}` : `${id} ${what} ${round}`;

const stateOf = ({ kinds, uncertain }: StepEnd & { ok: false }): FailedStep['state'] =>
  uncertain ? 'uncertain' : kinds.includes('refused') ? 'refused' : 'failed';

/** Why a step that needs a confirmation does not run; undefined when it may. */
async function ask(
  flow: FlowContext,
  progress: RunProgress,
  step: WorkflowStep,
  { question: message, shown: preview }: Prepared,
  round: number,
): Promise<string | undefined> {
  if (message === undefined) return undefined;
  const { deps, run } = progress;
  const say = wordsIn(run.input.language);
  const { id, name } = step;
  const answer = await flow.step(nameOf(step, 'ask', round), { effect: 'pure' }, async ({ key, signal }) => {
    const asked = deps.confirm;
    if (!asked) return { refusal: say.nobody(), ms: 0 };
    const from = deps.now();
    const agreed = await asked({ step: name, message, preview }, { key, signal, run });
    if (signal.aborted) throw new Error('told to stop');
    tell(progress, { type: 'asked', step: id, name, message, agreed: agreed === true });
    return { ms: deps.now() - from, ...(agreed === true ? {} : { refusal: say.denied() }) };
  });
  progress.waitedMs += answer.ms;
  return answer.refusal;
}

async function call(
  flow: FlowContext,
  progress: RunProgress,
  step: WorkflowStep,
  prepared: Prepared,
  round: number,
  number: number,
  failed: (StepFailure & { step: string }) | undefined,
): Promise<StepEnd> {
  const what = number === 1 ? 'run' : `run#${number}`;
  const name = nameOf(step, what, round);
  const scope = scopeAt(progress, prepared.at, failed);
  const body = async (attempt: Attempt): Promise<StepEnd> => {
    const { delayMs } = step.onFailure;
    if (number > 1 && delayMs > 0) {
      await sleep(Math.min(60_000, delayMs * 2 ** (number - 2)), attempt.signal);
    }
    const input = stepInput(step, scope, progress.readers.templates, prepared.timeoutMs);
    return callStep(step, input, prepared, progress, attempt, number);
  };
  if (prepared.level < 2) return flow.step(name, { effect: 'pure' }, body);
  const outcome = await flow.once(name, body);
  if (outcome.status === 'done') return outcome.value;
  const { begunAt: startedAt } = outcome;
  const message = wordsIn(progress.run.input.language).uncertain();
  return {
    ok: false,
    kinds: ['uncertain'],
    message,
    summary: message,
    uncertain: true,
    waitedMs: 0,
    startedAt,
    endedAt: startedAt,
  };
}

function putPrepared(progress: RunProgress, step: WorkflowStep, prepared: Prepared): void {
  const { decision, level, shown, reason } = prepared;
  const state = ({ run: 'pending', fail: 'failed', skip: 'skipped', show: 'shown' } as const)[decision];
  putRecord(progress, step, {
    state,
    level,
    ...(shown ? { input: shown } : {}),
    ...(reason === undefined ? {} : { summary: reason }),
  });
  if (decision === 'show' && step.outputKey) progress.unknown.add(step.outputKey);
}

function putEnd(progress: RunProgress, step: WorkflowStep, end: StepEnd, attempts: number): void {
  const { startedAt, endedAt, summary } = end;
  progress.waitedMs += end.waitedMs;
  const first = progress.records.get(step.id)?.startedAt ?? startedAt;
  putRecord(progress, step, {
    state: end.ok ? 'done' : stateOf(end),
    summary,
    attempts,
    startedAt: first,
    endedAt,
    ...(end.ok ? { output: end.output } : {}),
    ...(end.ok && isRecord(end.output) && typeof end.output.place === 'string'
      ? { place: end.output.place }
      : {}),
  });
  if (end.ok && step.outputKey) progress.outputs[step.outputKey] = end.output;
}
