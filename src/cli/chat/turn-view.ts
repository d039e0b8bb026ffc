import type { AgentEvent, ErrorRecord, NextStep } from '#spec/data';

export interface ToolItem {
  readonly kind: 'tool';
  readonly call: string;
  readonly name: string;
  readonly arguments: string;
  readonly state: 'running' | 'done' | 'failed' | 'stopped';
  readonly startedAt: number;
  readonly progress?: string;
  readonly summary?: string;
  readonly ms?: number;
}

/** One thing on the screen. Data only: words and colours come with rendering. */
export type Item =
  | { readonly kind: 'user'; readonly text: string }
  | { readonly kind: 'steer'; readonly text: string }
  | {
      readonly kind: 'thinking';
      readonly text: string;
      readonly startedAt: number;
      /** Absent while it goes on. */
      readonly ms?: number;
    }
  | { readonly kind: 'text'; readonly text: string }
  | ToolItem
  | { readonly kind: 'attempt'; readonly error: ErrorRecord; readonly next: NextStep }
  | { readonly kind: 'error'; readonly error: ErrorRecord }
  | { readonly kind: 'compacted'; readonly before: number; readonly after: number }
  | { readonly kind: 'notice'; readonly text: string }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'cut_short' };

export type Activity =
  | { readonly kind: 'idle' | 'waiting' | 'thinking' | 'writing' | 'compacting' | 'stopping' }
  | { readonly kind: 'preparing'; readonly name: string }
  | { readonly kind: 'tools'; readonly count: number }
  | { readonly kind: 'retrying'; readonly who: string; readonly at: number };

/** A turn as it is shown: what happened so far and what goes on now. */
export interface TurnView {
  readonly items: readonly Item[];
  readonly activity: Activity;
  readonly startedAt: number;
  readonly budget?: { readonly used: number; readonly limit: number };
  readonly lastStop?: string;
}

export const startTurn = (items: readonly Item[], now: number): TurnView => ({
  items,
  activity: { kind: 'waiting' },
  startedAt: now,
});

/** The view after one more event. */
export function reduceTurn(view: TurnView, event: AgentEvent, now: number): TurnView {
  switch (event.type) {
    case 'thinking.delta':
      return {
        ...view,
        items: grow(view.items, 'thinking', event.data.text, now),
        activity: { kind: 'thinking' },
      };
    case 'text.delta':
      return {
        ...view,
        items: grow(settle(view.items, now), 'text', event.data.text, now),
        activity: { kind: 'writing' },
      };
    case 'tool_call.start':
      return {
        ...view,
        items: settle(view.items, now),
        activity: { kind: 'preparing', name: event.data.name },
      };
    case 'tool.started':
    case 'tool.update':
    case 'tool.ended':
      return withTools(view, settle(view.items, now), event, now);
    case 'attempt.failed':
      return failedAttempt(view, event.data, now);
    case 'response.end':
      return {
        ...view,
        items: settle(view.items, now),
        ...(event.data.status === 'done' ? { lastStop: event.data.stop } : {}),
      };
    case 'compaction.start':
      return { ...view, activity: { kind: 'compacting' } };
    case 'context.compacted': {
      const { before, after } = event.data;
      return add({ ...view, activity: { kind: 'waiting' } }, { kind: 'compacted', before, after });
    }
    case 'steering.applied':
      return add(view, { kind: 'steer', text: event.data.text });
    case 'notice':
      return add(view, { kind: 'notice', text: event.data.text });
    case 'budget.update':
      return { ...view, budget: event.data, activity: { kind: 'waiting' } };
    case 'turn.ended':
      return endTurn(view, event.data, now);
    default:
      return view;
  }
}

const add = (view: TurnView, item: Item): TurnView => ({ ...view, items: [...view.items, item] });

const replaceLast = (items: readonly Item[], item: Item): Item[] => [...items.slice(0, -1), item];

/** Adds to the last item when it is of the same kind, and otherwise begins a new one. */
function grow(items: readonly Item[], kind: 'thinking' | 'text', text: string, now: number): Item[] {
  const last = items.at(-1);
  if (last?.kind === kind && !(last.kind === 'thinking' && last.ms !== undefined)) {
    return replaceLast(items, { ...last, text: last.text + text });
  }
  return [...items, kind === 'text' ? { kind, text } : { kind, text, startedAt: now }];
}

/** Thinking is over as soon as anything else comes. */
function settle(items: readonly Item[], now: number): readonly Item[] {
  const last = items.at(-1);
  if (last?.kind !== 'thinking' || last.ms !== undefined) return items;
  return replaceLast(items, { ...last, ms: now - last.startedAt });
}

type ToolEvent = Extract<AgentEvent, { type: 'tool.started' | 'tool.update' | 'tool.ended' }>;

function withTools(view: TurnView, items: readonly Item[], event: ToolEvent, now: number): TurnView {
  const next = toolItems(items, event, now);
  const count = next.filter((item) => item.kind === 'tool' && item.state === 'running').length;
  return { ...view, items: next, activity: count ? { kind: 'tools', count } : { kind: 'waiting' } };
}

function toolItems(items: readonly Item[], event: ToolEvent, now: number): readonly Item[] {
  const { call } = event.data;
  if (event.type === 'tool.started') {
    const { name } = event.data;
    const running = { kind: 'tool', call, name, state: 'running', startedAt: now } as const;
    return [...items, { ...running, arguments: event.data.arguments }];
  }
  const at = items.findLastIndex((item) => item.kind === 'tool' && item.call === call);
  const tool = items[at];
  if (tool?.kind !== 'tool') return items;
  if (event.type === 'tool.update') return items.with(at, { ...tool, progress: event.data.text });
  const { isError, ms, summary } = event.data;
  return items.with(at, { ...tool, state: isError ? 'failed' : 'done', ms, summary });
}

function failedAttempt(
  view: TurnView,
  { error, next }: { readonly error: ErrorRecord; readonly next: NextStep },
  now: number,
): TurnView {
  // The end of the turn tells about the last one.
  if (next.kind === 'stop') return view;
  const item: Item = { kind: 'attempt', error, next };
  const items = view.items.at(-1)?.kind === 'attempt' ? replaceLast(view.items, item) : [...view.items, item];
  const from = error.source ? `${error.source.provider}/${error.source.model}` : '';
  const who = next.kind === 'failover' ? `${next.provider}/${next.model}` : from;
  const at = now + (next.kind === 'retry' ? next.afterMs : 0);
  return { ...view, items, activity: { kind: 'retrying', who, at } };
}

function endTurn(
  view: TurnView,
  { status, error }: { readonly status: string; readonly error?: ErrorRecord },
  now: number,
): TurnView {
  const items = settle(view.items, now).map((item) =>
    item.kind === 'tool' && item.state === 'running' ? { ...item, state: 'stopped' as const } : item,
  );
  const ended: TurnView = { ...view, items, activity: { kind: 'idle' } };
  if (status === 'aborted') return add(ended, { kind: 'stopped' });
  if (error) return add(ended, { kind: 'error', error });
  return view.lastStop === 'length' ? add(ended, { kind: 'cut_short' }) : ended;
}
