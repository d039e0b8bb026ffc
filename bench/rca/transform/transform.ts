import type { Telemetry } from '#spec/data';
import type { Asked } from '../answer.ts';

/** An incident with its truth. */
export interface LabelledCase {
  readonly telemetry: Telemetry;
  /** A service, a change id or `none`. */
  readonly cause: string;
  /** What the truth names. It stays the same where a transformation adds changes. */
  readonly asked: Asked;
  /** What services are called in the case as it was recorded, by the names that a transformation gave them. */
  readonly recorded?: ReadonlyMap<string, string>;
}

/** What a transformation leaves: the same answer exactly, all that tells the cause, or only a part of it. */
export type Leaves = 'answer' | 'cause' | 'part';

/** A change of the form of a case. Undefined where a case has nothing that it could change. */
export interface Transform {
  readonly leaves: Leaves;
  readonly apply: (given: LabelledCase, random: () => number) => LabelledCase | undefined;
}

/** A transformation that leaves the truth alone. */
export const ofTelemetry = (
  leaves: Leaves,
  change: (telemetry: Telemetry, random: () => number) => Telemetry | undefined,
): Transform => ({
  leaves,
  apply: (given, random) => {
    const telemetry = change(given.telemetry, random);
    return telemetry && { ...given, telemetry };
  },
});
