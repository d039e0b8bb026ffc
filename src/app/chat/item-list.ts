import type { ChatItem } from './chat.ts';
import type { ChatLog } from './chat-log.ts';

/** What a conversation shows, in order. Whatever changes is told. */
export interface ItemList {
  readonly items: readonly ChatItem[];
  /** Tells its place. */
  add(item: ChatItem): number;
  put(index: number, item: ChatItem): void;
  /** Text behind that of an item. */
  grow(index: number, text: string): void;
  /** Everything anew; whoever listens has to be told by a snapshot. */
  reset(items: readonly ChatItem[]): void;
}

export function itemList(log: Pick<ChatLog, 'tell'>): ItemList {
  let items: ChatItem[] = [];
  const put = (index: number, item: ChatItem) => {
    items[index] = item;
    log.tell('put', { index, item });
  };
  return {
    get items() {
      return items;
    },
    add: (item) => {
      put(items.length, item);
      return items.length - 1;
    },
    put,
    grow: (index, text) => {
      const item = items[index];
      if (!item || !('text' in item) || !text) return;
      items[index] = { ...item, text: item.text + text };
      log.tell('grow', { index, text });
    },
    reset: (all) => {
      items = [...all];
    },
  };
}
