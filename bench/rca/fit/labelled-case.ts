import { readBundle } from '#adapters/bundles';
import { caseFeatures, type CaseFeatures, observe } from '#engines/aiops';
import type { Telemetry } from '#spec/data';
import { simulate, type SimulateOptions } from '#testkit/simulator';
import { callersAccepted, isOnRecord } from '../judge-simulated.ts';
import type { Suite } from '../suite.ts';

/** One case with everything that the model is asked, and which of its hypotheses are right. */
export interface LabelledCase {
  /** Cases of one system are left out together. */
  readonly system: string;
  readonly id: string;
  readonly given: CaseFeatures;
  readonly faulty: boolean;
  readonly right: {
    readonly places: readonly boolean[];
    readonly changes: readonly boolean[];
    readonly surge: boolean;
    readonly named: readonly boolean[];
  };
}

/** The truth of a case, whoever tells it. */
interface Truth {
  readonly faulty: boolean;
  readonly place: (service: string) => boolean;
  readonly change: (id: string) => boolean;
  readonly surge: boolean;
  readonly named: (cause: CaseFeatures['named'][number]) => boolean;
}

function label(system: string, id: string, telemetry: Telemetry, truth: Truth): LabelledCase {
  const given = caseFeatures(observe(telemetry));
  return {
    system,
    id,
    given,
    faulty: truth.faulty,
    right: {
      places: given.places.map(({ service }) => truth.place(service)),
      changes: given.changes.map(({ suspect }) => truth.change(suspect.effective.change.id)),
      surge: truth.surge,
      named: given.named.map(truth.named),
    },
  };
}

export const SIMULATED = 'simulated';

export function simulatedCase(options: SimulateOptions): LabelledCase {
  const drawn = simulate(options);
  const { telemetry, truth } = drawn;
  const recorded = isOnRecord(drawn);
  const isPlace = (service: string | undefined): boolean =>
    service !== undefined &&
    truth.place !== 'none' &&
    (truth.accepts.includes(service) ||
      service === truth.culprit ||
      (callersAccepted(drawn) && truth.callers.includes(service)));
  return label(SIMULATED, options.seed, telemetry, {
    faulty: truth.place !== 'none',
    place: (service) => !recorded && truth.place !== 'surge' && isPlace(service),
    change: (id) => truth.changes.includes(id),
    surge: !recorded && truth.place === 'surge',
    named: ({ service, category }) =>
      !recorded && (truth.place === 'outside' || category === truth.category || isPlace(service)),
  });
}

/** Two recordings of one system are one. */
export const systemOf = (suite: string): string => suite.replace(/-quiet$/, '');

export async function recordedCases(suite: Suite): Promise<LabelledCase[]> {
  const shared = new Map<string, Promise<unknown>>();
  const cases: LabelledCase[] = [];
  for (const [name, folder] of suite.cases) {
    const cause = suite.truth?.get(name);
    if (cause === undefined) continue;
    const telemetry = await readBundle(folder, { shared });
    // Where changes are on record, "none" says that none of them did it, not that nothing happened.
    const byChange = telemetry.changes !== undefined;
    cases.push(
      label(systemOf(suite.name), name, telemetry, {
        faulty: byChange || cause !== 'none',
        place: (service) => (byChange ? cause === 'none' : service === cause),
        change: (id) => byChange && id === cause,
        surge: byChange && cause === 'none',
        named: () => byChange && cause === 'none',
      }),
    );
  }
  return cases;
}
