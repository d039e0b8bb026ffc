import type { Group } from './group-messages.ts';

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
 * Protects the start of the conversation, the newest part up to `tailTokens`, and always the user's last request,
 * also when the work on it has become the longest part of all. A digest of an earlier compaction is never part of
 * the head: it is taken up again.
 */
export function planCompaction(groups: readonly Group[], tailTokens: number): CompactionPlan {
  let head = 0;
  for (let messages = 0; head < groups.length && messages < HEAD_MESSAGES; head++) {
    const group = groups[head] as Group;
    if (group.messages.some(({ kind }) => kind === 'digest')) break;
    messages += group.messages.length;
  }
  let start = groups.length;
  let room = tailTokens;
  while (start > head) {
    const { tokens } = groups[start - 1] as Group;
    if (groups.length - start >= LEAST_TAIL && room < tokens) break;
    room -= tokens;
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
