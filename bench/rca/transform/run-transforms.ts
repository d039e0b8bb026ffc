import { diagnose } from '#engines/aiops';
import { readBundle } from '#adapters/bundles';
import type { Rca } from '#spec/data';
import { seeded } from '../../learning/seeded.ts';
import { type Answer, answerOf, askedOf } from '../answer.ts';
import type { Suite } from '../suite.ts';
import type { LabelledCase, Transform } from './transform.ts';

/** One case before and after a transformation. */
export interface TransformedAnswer {
  readonly suite: string;
  readonly transform: string;
  readonly before: { readonly answer: Answer; readonly cause: string };
  readonly after: { readonly answer: Answer; readonly cause: string };
  /** Whether anything is different in what is said: a hypothesis, its confidence, the status. */
  readonly changed: boolean;
  /** Whether the status is another, or the first hypothesis. */
  readonly otherFirst: boolean;
}

/** Diagnoses every case with a truth as it was recorded, and transformed. The same every time. */
export async function runTransforms(
  suites: readonly Suite[],
  transforms: ReadonlyMap<string, Transform>,
  progress: (share: number) => void,
): Promise<TransformedAnswer[]> {
  const shared = new Map<string, Promise<unknown>>();
  const answers: TransformedAnswer[] = [];
  const total = suites.reduce((sum, { cases }) => sum + cases.size, 0);
  let done = 0;
  for (const suite of suites) {
    for (const [name, folder] of suite.cases) {
      const cause = suite.truth?.get(name);
      if (cause !== undefined) {
        const telemetry = await readBundle(folder, { shared });
        const given = { telemetry, cause, asked: askedOf(telemetry) };
        answers.push(...transformCase(suite.name, name, given, transforms));
      }
      done += 1;
      progress(done / total);
    }
  }
  return answers;
}

function transformCase(
  suite: string,
  name: string,
  given: LabelledCase,
  transforms: ReadonlyMap<string, Transform>,
): TransformedAnswer[] {
  const plain = diagnose(given.telemetry);
  const before = { answer: answerOf(plain, given.asked), cause: given.cause };
  const said = saidBy(plain);
  return [...transforms].flatMap(([transform, { apply }]) => {
    const changed = apply(given, seeded(`${transform}/${suite}/${name}`));
    if (!changed) return [];
    const rca = diagnose(changed.telemetry);
    const now = saidBy(rca, changed.recorded);
    return [
      {
        suite,
        transform,
        before,
        after: { answer: answerOf(rca, given.asked), cause: changed.cause },
        changed: now.all !== said.all,
        otherFirst: now.first !== said.first,
      },
    ];
  });
}

/** A diagnosis in a form that can be compared, with services called as they were recorded. */
export function saidBy(
  { status, hypotheses }: Rca,
  recorded: ReadonlyMap<string, string> = new Map(),
): { readonly all: string; readonly first: string } {
  const told = hypotheses.map(({ category, service, change, undo = false, confidence }) => ({
    place: JSON.stringify([category, recorded.get(service ?? '') ?? service, change, undo]),
    confidence: confidence.toFixed(3),
  }));
  // Of two that are equally sure the order is that of their names, which tells nothing.
  const ordered = told.map(({ place, confidence }) => `${confidence} ${place}`).toSorted();
  const [first] = ordered.toReversed();
  return { all: [status, ...ordered].join('\n'), first: `${status} ${first?.split(' ').slice(1).join(' ')}` };
}
