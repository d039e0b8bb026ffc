import type { Group } from './group-messages.ts';

/** The head and the tail stay as they are; what stands between them may be shortened. */
export interface CompactionPlan {
  readonly head: readonly Group[];
  readonly middle: readonly Group[];
  readonly tail: readonly Group[];
}

const HEAD_MESSAGES = 3;
const LEAST_TAIL = 3;

/**
 * Protects the start of the conversation, the newest part up to `tailTokens`, and always the user's last request
 * with everything after it. A digest of an earlier compaction is never part of the head: it is taken up again.
 */
export function planCompaction(groups: readonly Group[], tailTokens: number): CompactionPlan {
  let head = 0;
  for (let messages = 0; head < groups.length && messages < HEAD_MESSAGES; head++) {
    const group = groups[head] as Group;
    if (group.messages.some(({ kind }) => kind === 'digest')) break;
    messages += group.messages.length;
  }
  const request = groups.findLastIndex(({ fromUser }) => fromUser);
  let start = groups.length;
  let room = tailTokens;
  while (start > head) {
    const { tokens } = groups[start - 1] as Group;
    const required = start > request || groups.length - start < LEAST_TAIL;
    if (!required && room < tokens) break;
    room -= tokens;
    start--;
  }
  start = Math.max(head, Math.min(start, request < 0 ? start : request));
  return { head: groups.slice(0, head), middle: groups.slice(head, start), tail: groups.slice(start) };
}
