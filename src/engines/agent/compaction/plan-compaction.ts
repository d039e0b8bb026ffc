import type { Group } from './group-messages.ts';

export interface CompactionLimits {
  /** What the messages should take at most when it is over. */
  readonly target: number;
  /** What of the newest part is left alone. */
  readonly tail: number;
  /** So many of the newest messages are left alone, as far as they take no more than half of the target. */
  readonly keepLast?: number;
}

/** The head, the user's last request and the tail stay as they are; the rest may be shortened. */
export interface CompactionPlan {
  readonly head: readonly Group[];
  /** One stretch, or two when the last request stands between them: what came before it, and the work on it. */
  readonly middle: readonly (readonly Group[])[];
  readonly tail: readonly Group[];
}

const HEAD_MESSAGES = 3;
const LEAST_TAIL = 3;

/**
 * Protects the start of the conversation, the newest part up to `tail` tokens or `keepLast` messages, and always the
 * user's last request, also when the work on it has become the longest part of all. A digest of an earlier compaction is never part of
 * the head: it is taken up again.
 */
export function planCompaction(
  groups: readonly Group[],
  { target, tail, keepLast = 0 }: CompactionLimits,
): CompactionPlan {
  let head = 0;
  for (let messages = 0; head < groups.length && messages < HEAD_MESSAGES; head++) {
    const group = groups[head] as Group;
    if (group.messages.some(({ kind }) => kind === 'digest')) break;
    messages += group.messages.length;
  }
  let start = groups.length;
  let taken = 0;
  let kept = 0;
  while (start > head) {
    const { tokens, messages } = groups[start - 1] as Group;
    const room = kept < keepLast ? Math.max(tail, target / 2) : tail;
    if (groups.length - start >= LEAST_TAIL && taken + tokens > room) break;
    taken += tokens;
    kept += messages.length;
    start--;
  }
  const request = groups.findLastIndex(({ fromUser }) => fromUser);
  const pinned = request >= head && request < start;
  const stretches = pinned
    ? [groups.slice(head, request), groups.slice(request + 1, start)]
    : [groups.slice(head, start)];
  const middle = stretches.filter(({ length }) => length > 0);
  return { head: groups.slice(0, head), middle, tail: groups.slice(start) };
}
