/** How many messages are added by each wish for earlier ones, and shown at first. */
const MOST_MESSAGES = 100;
/** So many stand above the one that is looked for. */
const ABOVE = 5;

/** The place of the first message that is shown: near the end, or above what is looked for, and earlier with every wish. */
export function firstShown(count: number, wanted: number | undefined, wishes: number): number {
  const end = count - MOST_MESSAGES;
  const begin = wanted === undefined ? end : Math.min(end, wanted - ABOVE);
  return Math.max(0, begin - wishes * MOST_MESSAGES);
}
