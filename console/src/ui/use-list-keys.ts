import { type RefObject, useId } from 'react';
import { useCommands } from '../domains/keys/commands.tsx';
import { useText } from '../domains/language/language.tsx';
import { listText } from './list-text.ts';

/** j and k, for a list that knows how to move. */
export function useMoveKeys(move: (by: 1 | -1) => void): void {
  const text = useText(listText);
  const id = useId();
  useCommands([
    { id: `${id}j`, label: text.next, group: text.lists, keys: 'j', hidden: true, run: () => move(1) },
    { id: `${id}k`, label: text.previous, group: text.lists, keys: 'k', hidden: true, run: () => move(-1) },
  ]);
}

/** j and k go through the links of a list, or through its buttons; Enter opens what has the focus. */
export function useListKeys(list: RefObject<HTMLElement | null>, reached: 'a' | 'button' = 'a'): void {
  useMoveKeys((by) => {
    const all = [...(list.current?.querySelectorAll<HTMLElement>(reached) ?? [])];
    const focused = all.findIndex((each) => each === document.activeElement);
    const at = focused < 0 ? all.findIndex((each) => each.closest('[aria-current]')) : focused;
    all[at < 0 ? 0 : Math.max(0, Math.min(all.length - 1, at + by))]?.focus();
  });
}
