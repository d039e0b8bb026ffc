import { compact, summariser } from '#engines/agent';
import { toErrorRecord } from '#kit/app-error';
import { estimateTokens } from '#kit/estimate-tokens';
import { messageTokens } from '#kit/message-tokens';
import type { AgentEvent, AgentLive, FrozenPrefix, UserPart } from '#spec/data';
import type { Model } from '#spec/ports';
import type { SessionState } from './session-state.ts';

/** When a conversation is compacted and who writes its summary. */
export interface CompactionSettings {
  /** False: only when the provider says that the window is full, or when somebody asks for it. */
  readonly enabled: boolean;
  /** Up to 1 a share of the room that messages have in the window, above that tokens. */
  readonly threshold: number;
  /** So many of the newest messages stay as they are, as far as there is room for them. */
  readonly keepLast: number;
  /** Writes the summary in place of the model that answers. */
  readonly writer?: () => Promise<Model | undefined>;
}

export const COMPACTION: CompactionSettings = { enabled: true, threshold: 0.75, keepLast: 10 };

/** A conversation that is full is brought down to this share of what made it full. */
const COMPACT_TO = 2 / 3;
/** A threshold in tokens never lets messages fill more than this share of their room. */
const MOST_FULL = 0.9;
/** What overflowed was counted too low. */
const AFTER_OVERFLOW = 0.5;
const TAIL_SHARE = 0.2;

/** Compacts when the conversation fills the window, or when the provider said that it does. */
export async function makeRoom(
  state: SessionState,
  model: Model,
  settings: CompactionSettings,
  reason: 'full' | 'overflow' | 'asked',
  signal: AbortSignal,
  show: <K extends keyof AgentLive>(type: K, data: AgentLive[K]) => void,
  emit: (event: AgentEvent) => void,
): Promise<boolean> {
  const { contextWindow, maxOutput } = model.info;
  const fixed = prefixTokens(state.prefix);
  const room = Math.max(1_000, contextWindow - maxOutput - fixed);
  const tokens = state.messages.reduce((sum, { message }) => sum + messageTokens(message), 0);
  const { enabled, threshold, keepLast } = settings;
  const full = threshold <= 1 ? room * threshold : Math.min(threshold, room * MOST_FULL);
  if (reason === 'full' && (!enabled || tokens < full)) return false;
  show('compaction.start', { tokens: tokens + fixed, window: contextWindow });
  const target = Math.min(
    full * COMPACT_TO,
    reason === 'overflow' ? tokens * AFTER_OVERFLOW : Number.POSITIVE_INFINITY,
  );
  const limits = { target: Math.floor(target), tail: Math.floor(target * TAIL_SHARE), keepLast };
  const writer = await writerOf(settings, model, show);
  const done = await compact(state.messages, limits, writer && summariser(writer, signal));
  if (!done) return false;
  const plan = state.todos
    .filter(({ state: at }) => at === 'pending' || at === 'active')
    .map(({ text }) => `- ${text}`);
  const entries = done.replace.map(({ message, position, turn }, index) => {
    const last = index === done.replace.length - 1 && done.how !== 'pruned' && plan.length > 0;
    const extra: UserPart[] = last
      ? [{ type: 'text', text: `Open steps of the plan:\n${plan.join('\n')}` }]
      : [];
    const whole = message.role === 'user' ? { ...message, content: [...message.content, ...extra] } : message;
    return state.entry(whole, turn, { position, kind: 'digest' });
  });
  const data = { how: done.how, before: done.before, after: done.after, archived: done.archive.length };
  (await state.replace(done.archive, 'archived', entries, [{ type: 'context.compacted', data }])).forEach(
    emit,
  );
  return true;
}

/** The model that writes summaries, or undefined where only rules can. One that is named but cannot be had is told of. */
async function writerOf(
  { writer }: CompactionSettings,
  answering: Model,
  show: <K extends keyof AgentLive>(type: K, data: AgentLive[K]) => void,
): Promise<Model | undefined> {
  const named = await writer?.().catch((thrown: unknown) => {
    show('notice', { text: `compression.model: ${toErrorRecord(thrown).message}` });
    return undefined;
  });
  if (named) return named;
  return answering.info.protocol === 'local' ? undefined : answering;
}

export function prefixTokens(prefix: FrozenPrefix | undefined): number {
  if (!prefix) return 0;
  return estimateTokens(prefix.system.map(({ text }) => text).join('\n') + JSON.stringify(prefix.tools));
}
