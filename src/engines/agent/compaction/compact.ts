import { estimateTokens } from '#kit/estimate-tokens';
import type { Message, StoredMessage, ToolMessage, UserMessage } from '#spec/data';
import { digest } from './digest.ts';
import { groupMessages } from './group-messages.ts';
import { planCompaction } from './plan-compaction.ts';

export interface CompactionLimits {
  /** What the messages should take at most when it is over. */
  readonly target: number;
  /** What of the newest part is left alone. */
  readonly tail: number;
}

/** Messages to put away, and what takes their place. Nothing is deleted. */
export interface Compaction {
  readonly how: 'pruned' | 'digested' | 'summarised';
  readonly archive: readonly string[];
  readonly replace: readonly {
    readonly message: Message;
    readonly position: number;
    readonly turn: number;
  }[];
  readonly before: number;
  readonly after: number;
}

/** Writes a summary of a stretch of conversation, or gives up with undefined. */
export type Summarise = (
  messages: readonly StoredMessage[],
  mostTokens: number,
) => Promise<string | undefined>;

const WORTH_PRUNING = 200;
/** A pass that saves less than this share is no progress. */
const LEAST_GAIN = 0.1;

/**
 * Shortens a conversation in stages: old tool results become one line each; if that is not enough, everything
 * between the protected head and tail becomes one digest, written by a model or, without one, by rule.
 * Undefined when no pass makes real progress.
 */
export async function compact(
  messages: readonly StoredMessage[],
  limits: CompactionLimits,
  summarise: Summarise | undefined,
): Promise<Compaction | undefined> {
  const groups = groupMessages(messages);
  const before = groups.reduce((sum, { tokens }) => sum + tokens, 0);
  const { middle } = planCompaction(groups, limits.tail);
  const stretch = middle.flatMap((group) => group.messages);
  if (!stretch.length) return undefined;

  const pruned = stretch.flatMap((stored) => pruneResult(stored) ?? []);
  const saved = pruned.reduce((sum, { saved: tokens }) => sum + tokens, 0);
  if (before - saved <= limits.target && saved >= before * LEAST_GAIN) {
    return {
      how: 'pruned',
      archive: pruned.map(({ id }) => id),
      replace: pruned.map(({ message, position, turn }) => ({ message, position, turn })),
      before,
      after: before - saved,
    };
  }

  const size = middle.reduce((sum, { tokens }) => sum + tokens, 0);
  const room = Math.max(400, Math.min(Math.floor(size * 0.2), Math.floor(limits.target * 0.25)));
  const written = await summarise?.(stretch, room);
  const body = written ?? digest(stretch, Math.floor(room * 3.2));
  const message: UserMessage = {
    role: 'user',
    content: [
      {
        type: 'text',
        text: `[Earlier conversation, shortened; the originals are kept and searchable]\n${body}`,
      },
    ],
  };
  const after = before - size + estimateTokens(body) + 20;
  if (after > before * (1 - LEAST_GAIN)) return undefined;
  const last = stretch.at(-1) as StoredMessage;
  return {
    how: written === undefined ? 'digested' : 'summarised',
    archive: stretch.map(({ id }) => id),
    replace: [{ message, position: last.position, turn: last.turn }],
    before,
    after,
  };
}

/** A long result as one line under the same call. */
function pruneResult(stored: StoredMessage) {
  const { message } = stored;
  if (message.role !== 'tool') return undefined;
  const text = message.content.map((part) => (part.type === 'text' ? part.text : '[image]')).join('\n');
  if (text.length <= WORTH_PRUNING) return undefined;
  const first = text.split('\n', 1)[0]?.slice(0, 80) ?? '';
  const short = `[Result of ${message.name}, ${text.length.toLocaleString('en')} characters, put away: ${first}…]`;
  const copy: ToolMessage = { ...message, content: [{ type: 'text', text: short }] };
  const saved = estimateTokens(text) - estimateTokens(short);
  return { id: stored.id, message: copy, position: stored.position, turn: stored.turn, saved };
}
