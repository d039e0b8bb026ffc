/** A goal for a figure: at most, at least, or exactly. */
export type Goal = { readonly most: number } | { readonly least: number } | { readonly exactly: number };

export interface BenchRun {
  /** The data that `--data` names. */
  readonly data: string | undefined;
  /** Where `--out` wants the raw results. */
  readonly out: string | undefined;
  /** What was given for the benchmark's own options. */
  readonly options: Readonly<Record<string, string | undefined>>;
  /** A line of progress. */
  readonly say: (line: string) => void;
  /** How far it is, from 0 to 1, shown where somebody looks at it. */
  readonly progress: (share: number) => void;
}

/** One benchmark. It measures and never fails: whether a goal is met is a figure like the others. */
export interface Bench {
  readonly summary: string;
  readonly goals: Readonly<Record<string, Goal>>;
  /** Its own options, each with what it means where it stands without a value. */
  readonly options?: Readonly<Record<string, string>>;
  run(run: BenchRun): Promise<Readonly<Record<string, number>>>;
}

export const defineBench = (bench: Bench): Bench => bench;

export function meets(figure: number | undefined, goal: Goal): boolean {
  if (figure === undefined || Number.isNaN(figure)) return false;
  if ('most' in goal) return figure <= goal.most;
  if ('least' in goal) return figure >= goal.least;
  return figure === goal.exactly;
}

export function goalText(goal: Goal): string {
  if ('most' in goal) return `≤ ${goal.most}`;
  if ('least' in goal) return `≥ ${goal.least}`;
  return `= ${goal.exactly}`;
}

/** Thrown by a benchmark that is asked for what it does not have. The command ends with exit code 2. */
export class UnknownOption extends Error {
  readonly exitCode = 2;
}

/** Thrown by a benchmark whose data is not there. The command ends with exit code 3. */
export class MissingData extends Error {
  readonly exitCode = 3;
}
