import type { StepRecord } from '#spec/api';

export interface PlacedStep {
  readonly step: StepRecord;
  /** Of the run's time, from 0 to 1; absent where it did not begin. */
  readonly left?: number;
  readonly width?: number;
  readonly ms?: number;
}

/**
 * The steps of a run on its axis of time. One that goes on reaches to now; where nothing says since when, it follows the
 * last that ended.
 */
export function placeSteps(
  steps: readonly StepRecord[],
  run: { readonly startedAt: number; readonly endedAt?: number | undefined },
  now: number,
): readonly PlacedStep[] {
  const end = Math.max(run.endedAt ?? now, ...steps.map(({ endedAt }) => endedAt ?? 0));
  const whole = Math.max(1, end - run.startedAt);
  const last = Math.max(run.startedAt, ...steps.map(({ endedAt }) => endedAt ?? 0));
  return steps.map((step) => {
    const startedAt = step.startedAt ?? (step.state === 'running' ? last : undefined);
    if (startedAt === undefined) return { step };
    const ms = Math.max(0, (step.endedAt ?? end) - startedAt);
    const left = Math.min(1, Math.max(0, (startedAt - run.startedAt) / whole));
    return { step, left, width: Math.min(1 - left, ms / whole), ms };
  });
}
