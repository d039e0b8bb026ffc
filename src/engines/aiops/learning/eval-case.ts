import type { CauseCategory, Evidence, Operation } from '#spec/data';
import type { Story } from './story.ts';

/** One incident as a question with, where it was proven, the answer. */
export interface EvalCase {
  readonly id: string;
  readonly incident: string;
  /** The folder with its telemetry. */
  readonly bundle?: string;
  readonly service?: string;
  /** What there was to look at. */
  readonly evidenceKinds: readonly Evidence['kind'][];
  /** Absent: nobody knows what it was. Such a case can only be checked for restraint. */
  readonly truth?: {
    readonly provenBy: 'recovery' | 'person';
    readonly category: CauseCategory;
    readonly service: string;
    readonly change?: string;
    readonly operation?: Operation;
  };
}

export function evalCaseOf(story: Story, bundle: string | undefined): EvalCase {
  const { incident, proof, category, service, change } = story;
  const kinds = new Set((incident.rca?.evidence ?? []).map(({ kind }) => kind));
  const operation = proof === 'recovery' ? incident.action?.operation : undefined;
  return {
    id: `eval_${incident.id}`,
    incident: incident.id,
    ...(bundle === undefined ? {} : { bundle }),
    ...(incident.service === undefined ? {} : { service: incident.service }),
    evidenceKinds: [...kinds].toSorted(),
    ...(proof && category && service
      ? {
          truth: {
            provenBy: proof,
            category,
            service,
            ...(change === undefined ? {} : { change }),
            ...(operation === undefined ? {} : { operation }),
          },
        }
      : {}),
  };
}
