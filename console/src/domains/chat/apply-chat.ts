import type { Calls, ChatItem, ChatSnapshot, EventOf } from '#spec/api';

/** What a stream of a conversation tells. */
export type ChatEvent = EventOf<Calls['GET /api/chat/:session/events']>;

export const CHAT_EVENTS: readonly ChatEvent['type'][] = ['snapshot', 'put', 'grow', 'status', 'questions'];

/** The conversation after more events. Items that were not touched stay the same values. */
export function applyChat(
  before: ChatSnapshot | undefined,
  events: readonly ChatEvent[],
): ChatSnapshot | undefined {
  let state = before;
  let items: ChatItem[] | undefined;
  const own = (from: ChatSnapshot): ChatItem[] => (items ??= [...from.items]);
  for (const event of events) {
    if (event.type === 'snapshot') {
      state = event.data;
      items = undefined;
    } else if (!state) continue;
    else if (event.type === 'status') state = { ...state, status: event.data };
    else if (event.type === 'questions') state = { ...state, questions: event.data };
    else {
      const at = event.data.index - state.first;
      if (at < 0) continue;
      const list = own(state);
      if (event.type === 'put') list[at] = event.data.item;
      else {
        const item = list[at];
        if (item && 'text' in item) list[at] = { ...item, text: item.text + event.data.text };
      }
    }
  }
  return state && items ? { ...state, items } : state;
}

/** The conversation with what was shown before it. */
export function withEarlier(state: ChatSnapshot, before: number, items: readonly ChatItem[]): ChatSnapshot {
  if (state.first !== before) return state;
  return { ...state, items: [...items, ...state.items], first: before - items.length };
}
