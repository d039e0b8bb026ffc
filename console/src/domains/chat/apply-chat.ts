import type { ChatItem, ChatQuestion, ChatSnapshot, ChatStatus } from './chat-records.ts';

/** What a stream of a conversation tells. */
export type ChatEvent =
  | { readonly type: 'snapshot'; readonly data: ChatSnapshot }
  | { readonly type: 'put'; readonly data: { readonly index: number; readonly item: ChatItem } }
  | { readonly type: 'grow'; readonly data: { readonly index: number; readonly text: string } }
  | { readonly type: 'status'; readonly data: ChatStatus }
  | { readonly type: 'questions'; readonly data: readonly ChatQuestion[] };

export const CHAT_EVENTS = ['snapshot', 'put', 'grow', 'status', 'questions'] as const;

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
