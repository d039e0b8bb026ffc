import type { Change } from '#spec/data';

const seconds = ({ time }: Change): number => Date.parse(time) / 1000;

/** What a change put in place of what, as far as it says. */
function stepOf({
  kind,
  service,
  details = {},
}: Change): { what: string; from: string; to: string } | undefined {
  const text = (names: readonly string[]): string | undefined => {
    const value = names
      .map((name) => details[name])
      .find((one) => one !== undefined && one !== null && one !== '');
    return value === undefined || typeof value === 'object' ? undefined : String(value);
  };
  const from = text(['from', 'previous', 'previous_version', 'old', 'before']);
  const to = text(['to', 'version', 'new', 'after', 'value']);
  if (service === undefined || from === undefined || to === undefined || from === to) return undefined;
  const key = text(['key', 'flag', 'name', 'setting']);
  const part = kind === 'deploy' || kind === 'release' ? 'version' : (key ?? kind);
  return { what: `${service}\n${part}`, from, to };
}

const SAYS_BACK = /^\W*(?:roll(?:ed|ing|s)?[- ]?back|revert(?:ed|ing|s)?|undo(?:ne)?|restore[ds]?)\b/i;

export interface TakenBack {
  /** The change that put back what this one replaced. */
  readonly by: Change | undefined;
  /** It only put back what had been there before. */
  readonly restores: boolean;
}

/** Whether a change was undone by a later one, and whether it is itself nothing but the undoing of an earlier one. */
export function takenBack(change: Change, all: readonly Change[]): TakenBack {
  const step = stepOf(change);
  const says = change.kind !== 'commit' && SAYS_BACK.test(change.summary);
  if (!step) return { by: undefined, restores: says };
  const same = all.flatMap((other) => {
    const found = other.id === change.id ? undefined : stepOf(other);
    return found?.what === step.what ? [{ other, ...found }] : [];
  });
  const isBack = (one: { from: string; to: string }): boolean => one.from === step.to && one.to === step.from;
  const [by] = same
    .filter((entry) => isBack(entry) && seconds(entry.other) > seconds(change))
    .toSorted((one, another) => seconds(one.other) - seconds(another.other));
  const restores = says || same.some((entry) => isBack(entry) && seconds(entry.other) < seconds(change));
  return { by: by?.other, restores };
}
