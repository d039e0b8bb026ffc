import type { RcaParameters as Parameters } from '#engines/aiops';
import fitted from './left-out.json' with { type: 'json' };
import { SIMULATED, systemOf } from './labelled-case.ts';

const LEFT_OUT = fitted as unknown as Readonly<Record<string, Parameters>>;

/** Numbers that never saw a suite's system, and numbers that never saw a recording; of a system that is new, both alike. */
export function parametersWithout(suite: string): {
  readonly system: Parameters;
  readonly recordings: Parameters;
} {
  const recordings = LEFT_OUT[SIMULATED] as Parameters;
  return { system: LEFT_OUT[systemOf(suite)] ?? recordings, recordings };
}
