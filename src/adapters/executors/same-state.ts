import { fail } from '#kit/app-error';
import { isRecord } from '#kit/is-record';
import { tell } from '#kit/text';
import type { Rehearsal } from '#spec/data';

/** Throws when the target is in another state than the one that was agreed to. */
export function sameState(expects: Rehearsal['state'] | undefined, now: Rehearsal['state']): void {
  if (expects === undefined || canonical(expects) === canonical(now)) return;
  throw fail(
    'input.conflict',
    tell(
      'The target has changed since this action was agreed to. Nothing was done.',
      '目标在批准之后发生了变化。没有做任何改变。',
    ),
    tell(
      'Rehearse the action again, and ask for agreement to what it would do now.',
      '重新演练该动作,并就现在会做的事请求同意。',
    ),
  );
}

/** The same text for the same value, in whatever order its keys stand. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    isRecord(part) ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
