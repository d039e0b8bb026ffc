import { describeDurableCrashes } from './crashes-contract.ts';
import { describeDurableFlows } from './flows-contract.ts';
import { describeDurableReplay } from './replay-contract.ts';
import type { DurableUnderTest } from './under-test.ts';

/** What every implementation of `DurableEngine` does, in one process, in several, and when they are killed. */
export function describeDurableEngine(subject: DurableUnderTest): void {
  describeDurableFlows(subject);
  describeDurableReplay(subject);
  describeDurableCrashes(subject);
}
