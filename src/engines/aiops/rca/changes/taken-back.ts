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

const SAYS_BACK = /^\W*(?:roll(?:ed|ing|s)?[- ]?back|revert(?:ed|ing|s)?|undo(?:ne)?|restore[ds]?)\b/i;
const seconds = ({ time }: Change): number => Date.parse(time) / 1000;

/** Whether a change was undone by a later one, and whether it is itself nothing but the undoing of an earlier one. */
export function takenBack(change: Change, all: readonly Change[]): TakenBack {
  const reverse = all.filter((other) => other.id !== change.id && areReverse(change, other));
  const [by] = reverse
    .filter((other) => seconds(other) > seconds(change))
    .toSorted((one, other) => seconds(one) - seconds(other) || (one.id < other.id ? -1 : 1));
  const says = change.kind !== 'commit' && SAYS_BACK.test(change.summary);
  return {
    by,
    restores: says || isRemedy(change) || reverse.some((other) => seconds(other) < seconds(change)),
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
  const { details = {} } = change;
  const text = (names: readonly string[]): string | undefined => {
    const value = names.map((name) => details[name]).find((one) => one !== undefined && one !== '');
    return value === undefined || value === null || typeof value === 'object'
      ? undefined
      : `${value as string}`;
  };
  const from = text(['from', 'previous', 'previous_version', 'old', 'before']);
  const to = text(['to', 'version', 'new', 'after', 'value']);
  if (from === undefined || to === undefined || from === to) return undefined;
  return { from, to, key: isDeploy(change) ? undefined : text(['key', 'flag', 'name', 'setting']) };
}
