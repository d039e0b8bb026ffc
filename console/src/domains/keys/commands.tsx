import { useEffect, useRef, useSyncExternalStore } from 'react';
import { keyName, keySequence } from './key-sequence.ts';

/** Something that can be done from where one is: it is in the palette, and on the keyboard where it has keys. */
export interface Command {
  readonly id: string;
  readonly label: string;
  /** Commands are shown together under this. */
  readonly group: string;
  readonly keys?: string;
  /** Not in the palette: a key for moving about. */
  readonly hidden?: boolean;
  run(): void;
}

let commands: readonly Command[] = [];
const listeners = new Set<() => void>();

function set(next: readonly Command[]): void {
  commands = next;
  for (const listener of listeners) listener();
}

/** Offers commands while the component is on the page. Those that come later win over the same keys. */
export function useCommands(offered: readonly Command[]): void {
  const latest = useRef(offered);
  useEffect(() => {
    latest.current = offered;
  });
  const shape = JSON.stringify(offered.map(({ id, label, keys, group }) => [id, label, keys, group]));
  useEffect(() => {
    const mine = latest.current.map((command, index) => ({
      ...command,
      run: () => latest.current[index]?.run(),
    }));
    set([...commands, ...mine]);
    return () => set(commands.filter((each) => !mine.includes(each)));
  }, [shape]);
}

export const useAllCommands = (): readonly Command[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => commands,
  );

/** One listener for the whole page. Keys that somebody types into a field are not shortcuts. */
export function useKeyboard(): void {
  useEffect(() => {
    const press = keySequence(Date.now);
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      // What stands over the page has keys of its own.
      if (event.target instanceof Element && event.target.closest('.floating')) return;
      const key = keyName(event);
      if (!key.startsWith('mod+') && (isTyping(event.target) || document.querySelector('dialog[open]')))
        return;
      const known = new Set(commands.flatMap(({ keys }) => (keys ? [keys] : [])));
      const found = press(key, known);
      if (found === undefined) return;
      if (key === 'Enter' && event.target instanceof Element && event.target.closest('a, button, summary'))
        return;
      event.preventDefault();
      commands.findLast(({ keys }) => keys === found)?.run();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));
