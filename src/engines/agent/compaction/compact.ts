import { estimateTokens } from '#kit/estimate-tokens';
import { messageTokens } from '#kit/message-tokens';
import type { Message, StoredMessage, ToolMessage, UserMessage } from '#spec/data';
import { digest } from './digest.ts';
import { type Group, groupMessages } from './group-messages.ts';
import { type Pin, pinBlock, pinLines, pinsOf } from './pinned-ids.ts';
import { type CompactionLimits, planCompaction } from './plan-compaction.ts';

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
/** What the ids of records may take behind a digest, as a share of the target and in characters. */
const PINNED = { share: 0.15, least: 600, most: 4_000 };
const PINNED_OF_RESULT = 600;

/**
 * Shortens a conversation in stages: old tool results become one line each; if that is not enough, everything
 * between the protected head and tail becomes a digest, written by a model or, without one, by rule.
 * Undefined when no pass makes real progress.
 */
export async function compact(
  messages: readonly StoredMessage[],
  limits: CompactionLimits,
  summarise: Summarise | undefined,
): Promise<Compaction | undefined> {
  const groups = groupMessages(messages);
  const before = groups.reduce((sum, { tokens }) => sum + tokens, 0);
  const { middle } = planCompaction(groups, limits);
  if (!middle.length) return undefined;

  const pruned = middle
    .flat()
    .flatMap(({ messages: members }) => members.flatMap((one) => pruneResult(one) ?? []));
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

  const shortened = [];
  const pins = pinsOf(messages);
  for (const stretch of middle)
    shortened.push((await shorten(stretch, limits.target, pins, summarise)) ?? []);
  const done = shortened.flat();
  const after = before - done.reduce((sum, { gain }) => sum + gain, 0);
  if (after > before * (1 - LEAST_GAIN)) return undefined;
  return {
    how: done.some(({ byModel }) => byModel) ? 'summarised' : 'digested',
    archive: done.flatMap(({ ids }) => ids),
    replace: done.map(({ message, position, turn }) => ({ message, position, turn })),
    before,
    after,
  };
}

/**
 * One message in the place of a stretch; undefined when that would gain nothing. Whatever writes the text, the records
 * that the stretch names stand behind it with their ids.
 */
async function shorten(
  stretch: readonly Group[],
  target: number,
  pins: ReadonlyMap<string, Pin>,
  summarise: Summarise | undefined,
) {
  const size = stretch.reduce((sum, { tokens }) => sum + tokens, 0);
  const room = Math.max(400, Math.min(Math.floor(size * 0.2), Math.floor(target * 0.25)));
  if (size <= room) return undefined;
  const messages = stretch.flatMap((group) => group.messages);
  const written = await summarise?.(messages, room);
  const body = written ?? digest(messages, Math.floor(room * 3.2));
  const text = `[Earlier conversation, shortened; the originals are kept and searchable]\n${body}`;
  const pinned = pinBlock(
    messages,
    pins,
    Math.max(PINNED.least, Math.min(PINNED.most, Math.floor(target * PINNED.share * 3.2))),
  );
  const parts = pinned ? [text, pinned] : [text];
  const message: UserMessage = { role: 'user', content: parts.map((part) => ({ type: 'text', text: part })) };
  const gain = size - messageTokens(message);
  const { position, turn } = messages.at(-1) as StoredMessage;
  const ids = messages.map(({ id }) => id);
  return gain > 0 ? { message, ids, position, turn, gain, byModel: written !== undefined } : undefined;
}

/** A long result as one line under the same call, with the records that it names. */
function pruneResult(stored: StoredMessage) {
  const { message } = stored;
  if (message.role !== 'tool' || stored.kind === 'digest') return undefined;
  const text = message.content.map((part) => (part.type === 'text' ? part.text : '[image]')).join('\n');
  if (text.length <= WORTH_PRUNING) return undefined;
  const first = text.split('\n', 1)[0]?.slice(0, 80) ?? '';
  const head = `[Result of ${message.name}, ${text.length.toLocaleString('en')} characters, put away: ${first}…]`;
  const short = [head, ...pinLines(text, PINNED_OF_RESULT)].join('\n');
  if (short.length >= text.length) return undefined;
  const copy: ToolMessage = { ...message, content: [{ type: 'text', text: short }] };
  const saved = estimateTokens(text) - estimateTokens(short);
  return { id: stored.id, message: copy, position: stored.position, turn: stored.turn, saved };
}
