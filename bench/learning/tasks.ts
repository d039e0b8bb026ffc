import { ONCE, REPEATED } from './requests.ts';
import { seeded, shuffled } from './seeded.ts';
import { type Act, actsOf, type Assignment, KINDS } from './world.ts';

/** One task of the benchmark. */
export interface Task {
  readonly text: string;
  readonly family: string;
  /** How often its family came before, plus one; 0 for one that comes once. */
  readonly encounter: number;
  /** Its family changes in the middle, and this task comes after that. */
  readonly drifted: boolean;
  readonly assignment: Assignment;
}

const TIMES = 6;
/** Those that change come often enough to be learned before and repaired after. */
const DRIFTING_TIMES = 10;
const DRIFTING = 10;
const FRAMES = ['{r}', 'please: {r}', '{r}, thanks', 'hi, {r}', '{r} (not urgent)', 'on call here: {r}'];

interface Family {
  readonly id: string;
  readonly kind: string;
  readonly wordings: readonly string[];
  readonly before: readonly Act[];
  readonly after: readonly Act[];
}

/** The same list for the same seed: families in several wordings, some that change in the middle, some that come once. */
export function tasksOf(seed: string): Task[] {
  const random = seeded(`tasks ${seed}`);
  const taken = new Set<string>();
  const repeated = Object.entries(REPEATED).flatMap(([kind, rows]) =>
    rows.map((wordings, at) => familyOf(`${kind}-${at}`, kind, wordings, random, taken)),
  );
  const once = Object.entries(ONCE).flatMap(([kind, rows]) =>
    rows.map((wording, at) => familyOf(`once-${kind}-${at}`, kind, [wording], random, taken)),
  );
  const drifting = new Set(
    shuffled(repeated, random)
      .slice(0, DRIFTING)
      .map(({ id }) => id),
  );
  const times = ({ id }: Family) => (drifting.has(id) ? DRIFTING_TIMES : TIMES);
  const again = repeated.flatMap((family) => Array.from({ length: times(family) }, () => family));
  const order = shuffled([...once, ...again], random);
  const seen = new Map<string, number>();
  return order.map((family, at): Task => {
    const encounter = (seen.get(family.id) ?? 0) + 1;
    seen.set(family.id, encounter);
    const drifted = drifting.has(family.id) && at >= order.length / 2;
    const names = KINDS[family.kind]?.names ?? [];
    const thing = names[Math.floor(random() * names.length)] ?? '';
    const wording = family.wordings[Math.floor(random() * family.wordings.length)] ?? '';
    const frame = FRAMES[Math.floor(random() * FRAMES.length)] ?? '{r}';
    return {
      text: frame.replace('{r}', () => wording.replace('{e}', () => thing)),
      family: family.id,
      encounter: family.id.startsWith('once') ? 0 : encounter,
      drifted,
      assignment: { kind: family.kind, thing, solution: drifted ? family.after : family.before },
    };
  });
}

function familyOf(
  id: string,
  kind: string,
  wordings: readonly string[],
  random: () => number,
  taken: Set<string>,
): Family {
  for (;;) {
    const length = 3 + Math.floor(random() * 2);
    const acts = shuffled(actsOf(kind), random);
    const before = acts.slice(0, length);
    const key = JSON.stringify(before);
    if (taken.has(key)) continue;
    taken.add(key);
    const changed = Math.floor(random() * length);
    const other = acts[length] as Act;
    return { id, kind, wordings, before, after: before.with(changed, other) };
  }
}
