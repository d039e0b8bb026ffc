import { AppError, toErrorRecord } from '#kit/app-error';
import { cutMiddle } from '#kit/cut-middle';
import type { Language } from '#kit/language';
import { redact } from '#kit/redact';
import { sleep } from '#kit/sleep';
import type { Attempt, ToolResult } from '#spec/ports';
import type { WorkflowStep } from '../file/workflow.ts';
import { failureKinds } from './failure-kinds.ts';
import type { Prepared } from './prepare-step.ts';
import { type StopClock, stopClock } from './stop-clock.ts';
import { type RunProgress, tell } from './run-state.ts';
import { wordsIn } from './words.ts';

/** How a call ended, as the journal keeps it. */
export type StepEnd = {
  readonly startedAt: number;
  readonly endedAt: number;
  /** How long a person was waited for. */
  readonly waitedMs: number;
  readonly summary: string;
} & (
  | { readonly ok: true; readonly output: unknown }
  | {
      readonly ok: false;
      readonly kinds: readonly string[];
      readonly message: string;
      readonly uncertain: boolean;
    }
);

const MOST_OUTPUT_CHARS = 1_000_000;
const MOST_MESSAGE_CHARS = 4_000;
/** How long a tool that was told to stop may take to do so. */
const GRACE_MS = 2_000;

type Outcome = { readonly result: ToolResult } | { readonly thrown: unknown } | 'late' | 'deaf';

/**
 * Makes the call of a step and tells how it ended. It throws only when the process was told to stop: then nothing is
 * known, and whoever goes on with the run decides.
 */
export async function callStep(
  step: WorkflowStep,
  input: unknown,
  prepared: Prepared,
  progress: RunProgress,
  attempt: Attempt,
  number: number,
): Promise<StepEnd> {
  const { deps, run } = progress;
  const { id, name, action } = step;
  const startedAt = deps.now();
  tell(progress, { type: 'step.started', step: id, name, action, attempt: number });
  const changes = prepared.level > 1;
  if (changes && !(await attempt.stillMine())) throw new Error('another process has taken the run over');
  const { key } = attempt;
  const clock = stopClock(prepared.timeoutMs);
  const outcome = await within(clock, attempt.signal, (signal) =>
    deps.callTool(action, input, { key, signal, run, patiently: clock.patiently }),
  );
  if (attempt.signal.aborted) throw new Error('told to stop');
  const end = {
    ...endOf(step, outcome, prepared.timeoutMs, changes, run.input.language),
    startedAt,
    endedAt: deps.now(),
    waitedMs: clock.waitedMs(),
  };
  tell(progress, {
    type: 'step.ended',
    step: id,
    name,
    ok: end.ok,
    ms: end.endedAt - startedAt,
    summary: end.summary,
    ...(end.ok ? {} : { kind: end.kinds[0] ?? 'failed' }),
  });
  return end;
}

async function within(
  clock: StopClock,
  signal: AbortSignal,
  call: (signal: AbortSignal) => Promise<ToolResult>,
): Promise<Outcome> {
  const over = new AbortController();
  const ended = new AbortController();
  const stop = AbortSignal.any([signal, ended.signal]);
  const called = (async (): Promise<Outcome> => {
    try {
      return { result: await call(AbortSignal.any([signal, over.signal])) };
    } catch (thrown) {
      return { thrown };
    }
  })();
  const late = (async (): Promise<Outcome> => {
    if (!(await clock.over(stop))) return 'deaf';
    over.abort();
    const obeyed = await Promise.race([called, sleep(GRACE_MS, stop)]);
    return typeof obeyed === 'object' ? 'late' : 'deaf';
  })();
  try {
    return await Promise.race([called.then((outcome) => (over.signal.aborted ? 'late' : outcome)), late]);
  } finally {
    ended.abort();
  }
}

type End = StepEnd extends infer E
  ? E extends StepEnd
    ? Omit<E, 'startedAt' | 'endedAt' | 'waitedMs'>
    : never
  : never;

function endOf(
  step: WorkflowStep,
  outcome: Outcome,
  timeoutMs: number,
  changes: boolean,
  language: Language,
): End {
  if (outcome === 'late' || outcome === 'deaf') {
    const message = wordsIn(language).late(timeoutMs / 1_000);
    const uncertain = changes && outcome === 'deaf';
    return { ok: false, kinds: ['timeout', 'failed'], message, summary: message, uncertain };
  }
  if ('thrown' in outcome) {
    const { message } = toErrorRecord(outcome.thrown);
    const refused = outcome.thrown instanceof AppError && outcome.thrown.record.code === 'tool.refused';
    const kinds = refused ? ['refused'] : failureKinds(step, message);
    return { ok: false, kinds, ...shortened(message), uncertain: changes && !refused };
  }
  const { result } = outcome;
  const text = textOf(result);
  if (!result.isError)
    return { ok: true, output: outputOf(step, result, text), summary: redact(result.summary) };
  const refused = text.startsWith('Not allowed: ');
  const kinds = refused ? ['refused', 'failed'] : failureKinds(step, text);
  return { ok: false, kinds, ...shortened(text), summary: redact(result.summary), uncertain: false };
}

function shortened(text: string): { message: string; summary: string } {
  const message = cutMiddle(redact(text), MOST_MESSAGE_CHARS);
  return { message, summary: message.split('\n', 1)[0] ?? '' };
}

const textOf = ({ content }: ToolResult): string =>
  content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');

/** The last line of a command's result says how it ended; that is in the data as well. */
const COMMAND_END = /\n?\[(?:exit code|ended by|stopped)[^\n]*\](?:\n\[[^\n]*\])*$/;

/** The data of a tool, else its text. Of a command, what it printed and how it ended. */
function outputOf(step: WorkflowStep, { data }: ToolResult, text: string): unknown {
  if (step.action === 'terminal') {
    const printed = text.replace(COMMAND_END, '').replace(/^\[no output\]$/, '');
    return {
      ...(data as Record<string, unknown> | undefined),
      output: cutMiddle(printed, MOST_OUTPUT_CHARS),
    };
  }
  if (data === undefined) return cutMiddle(text, MOST_OUTPUT_CHARS);
  const json = JSON.stringify(data);
  return json.length <= MOST_OUTPUT_CHARS ? data : cutMiddle(text || json, MOST_OUTPUT_CHARS);
}
