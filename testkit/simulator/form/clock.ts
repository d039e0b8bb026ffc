import type { World } from '../world/world.ts';
import type { Form } from './form.ts';

/** The instants of the samples, and what the alert and its windows are dated. Unix seconds. */
export interface Clock {
  readonly baseline: readonly number[];
  readonly incident: readonly number[];
  /** Both, rising. */
  readonly all: readonly number[];
  readonly alertAt: number;
}

/** Longer than this nobody looks back from an alert, in samples. */
const FARTHEST = 200;

export function readClock(
  { moment, delay }: World,
  { step, baselineSamples, lead, after, apart, late }: Form,
): Clock {
  const alertAt = moment + Math.max(delay, 1.2 * step);
  const onset = moment - lead * step;
  const asked = late ? moment + 0.4 * (alertAt - moment) : onset;
  const start = Math.ceil(Math.max(asked, alertAt - FARTHEST * step) / step) * step;
  const incident = Array.from(
    { length: Math.max(4, Math.ceil((alertAt - start) / step) + after) },
    (_, at) => start + at * step,
  );
  const end = late ? start - step : Math.min(start, Math.floor(moment / step) * step) - step - apart;
  const last = Math.floor(end / step) * step;
  const baseline = Array.from(
    { length: baselineSamples },
    (_, at) => last - (baselineSamples - 1 - at) * step,
  );
  return { baseline, incident, all: [...baseline, ...incident], alertAt: Math.round(alertAt) };
}
