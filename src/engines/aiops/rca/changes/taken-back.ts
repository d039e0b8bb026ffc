import { type Change, OPERATIONS } from '#spec/data';

interface Step {
  readonly from: string;
  readonly to: string;
  /** What was set, where that is told. */
  readonly key: string | undefined;
}

export interface TakenBack {
  /** The change that put back what this one replaced. */
  readonly by: Change | undefined;
  /** It only put back what had been there before, or ended an earlier incident. */
  readonly restores: boolean;
}

const SAYS_BACK = /^\W*(?:roll\w*[- ]?back|revert|undo|restor)/i;
const timeOf = ({ time }: Change): number => Date.parse(time);

/** Whether a change was undone by a later one, and whether it is itself nothing but the undoing of an earlier one. */
export function takenBack(change: Change, all: readonly Change[]): TakenBack {
  const reverse = all.filter((other) => other.id !== change.id && areReverse(change, other));
  const [by] = reverse
    .filter((other) => timeOf(other) > timeOf(change))
    .toSorted((one, other) => timeOf(one) - timeOf(other) || (one.id < other.id ? -1 : 1));
  const says = change.kind !== 'commit' && SAYS_BACK.test(change.summary);
  return {
    by,
    restores: says || isRemedy(change) || reverse.some((other) => timeOf(other) < timeOf(change)),
  };
}

/** Executors of remedies say which operation they carried out. */
const isRemedy = ({ details }: Change): boolean =>
  OPERATIONS.some((operation) => operation === details?.['operation']);

/** Each puts in place what the other replaced, in the same service and the same setting. */
function areReverse(one: Change, other: Change): boolean {
  if (one.service === undefined || one.service !== other.service || !isSamePart(one, other)) return false;
  const [step, back] = [stepOf(one), stepOf(other)];
  if (!step || !back || step.from !== back.to || step.to !== back.from) return false;
  // Whoever carries an action out may keep a key of its own; then the words tell what was set.
  const names = (key: string | undefined, { summary }: Change): boolean =>
    key !== undefined && summary.includes(key);
  return step.key === back.key || names(step.key, other) || names(back.key, one);
}

export const isDeploy = ({ kind }: Change): boolean => kind === 'deploy' || kind === 'release';
const isSamePart = (one: Change, other: Change): boolean =>
  isDeploy(one) ? isDeploy(other) : one.kind === other.kind;

/** What a change put in place of what, as far as it says. */
function stepOf(change: Change): Step | undefined {
  const { from, to, version, key, flag } = change.details ?? {};
  const after = to ?? version;
  if (!isValue(from) || !isValue(after) || from === after) return undefined;
  const set = key ?? flag;
  return { from: `${from}`, to: `${after}`, key: isDeploy(change) || !isValue(set) ? undefined : `${set}` };
}

export const isValue = (value: unknown): value is string | number | boolean =>
  value !== undefined && value !== null && value !== '' && typeof value !== 'object';
