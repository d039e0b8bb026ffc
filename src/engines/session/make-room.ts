import { compact, summariser } from '#engines/agent';
import { estimateTokens } from '#kit/estimate-tokens';
import { messageTokens } from '#kit/message-tokens';
import type { AgentEvent, AgentLive, FrozenPrefix, UserPart } from '#spec/data';
import type { Model } from '#spec/ports';
import type { SessionState } from './session-state.ts';

/** Above this share of the window a conversation is compacted, to at most the second. */
const FULL_AT = 0.75;
const COMPACT_TO = 0.5;
const TAIL_SHARE = 0.2;

/** Compacts when the conversation fills the window, or when the provider said that it does. */
export async function makeRoom(
  state: SessionState,
  model: Model,
  reason: 'full' | 'overflow' | 'asked',
  signal: AbortSignal,
  show: <K extends keyof AgentLive>(type: K, data: AgentLive[K]) => void,
  emit: (event: AgentEvent) => void,
): Promise<boolean> {
  const { contextWindow, maxOutput } = model.info;
  const fixed = prefixTokens(state.prefix);
  const room = Math.max(1_000, contextWindow - maxOutput - fixed);
  const tokens = state.messages.reduce((sum, { message }) => sum + messageTokens(message), 0);
  if (reason === 'full' && tokens < room * FULL_AT) return false;
  show('compaction.start', { tokens: tokens + fixed, window: contextWindow });
  // What overflowed was counted too low: aim below what was sent.
  const target = Math.min(
    room * COMPACT_TO,
    reason === 'overflow' ? tokens * COMPACT_TO : Number.POSITIVE_INFINITY,
  );
  const limits = { target: Math.floor(target), tail: Math.floor(target * TAIL_SHARE) };
  const canWrite = model.info.protocol !== 'local';
  const done = await compact(state.messages, limits, canWrite ? summariser(model, signal) : undefined);
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

export function prefixTokens(prefix: FrozenPrefix | undefined): number {
  if (!prefix) return 0;
  return estimateTokens(prefix.system.map(({ text }) => text).join('\n') + JSON.stringify(prefix.tools));
}
