import { type Component, type Focusable, Input, matchesKey, truncateToWidth } from '@earendil-works/pi-tui';
import { safeLine, safeText } from '../safe-text.ts';
import { hanging } from './item-lines.ts';
import type { Theme } from './theme.ts';

export interface PickerOptions {
  readonly title: string;
  readonly choices: readonly string[];
  /** `answer`: what is typed is an answer of its own. `filter`: it narrows the choices. */
  readonly typing: 'answer' | 'filter';
  readonly placeholder: string;
  readonly keys: string;
  readonly theme: Theme;
  /** Undefined: nothing was chosen. Called once. */
  readonly onDone: (value: string | undefined) => void;
}

export type Picker = Component & Focusable;

const MOST_ROWS = 8;

/** A question with choices, inline above the status line. */
export function picker(options: PickerOptions): Picker {
  const { theme, typing } = options;
  const input = new Input({ prompt: '', placeholder: options.placeholder, placeholderStyle: theme.dim });
  let at = 0;
  const shown = (): readonly string[] => {
    const words = input.getValue().trim().toLowerCase().split(/\s+/).filter(Boolean);
    if (typing === 'answer' || !words.length) return options.choices;
    return options.choices.filter((choice) => words.every((word) => choice.toLowerCase().includes(word)));
  };
  const rows = () => shown().length + (typing === 'answer' ? 1 : 0);
  const confirm = () => {
    const choices = shown();
    const typed = input.getValue().trim();
    if (at < choices.length) options.onDone(choices[at]);
    else if (typing === 'filter') options.onDone(undefined);
    else if (typed) options.onDone(typed);
  };
  const type = (data: string) => {
    const before = input.getValue();
    input.handleInput(data);
    if (input.getValue() === before) return;
    at = typing === 'answer' ? shown().length : 0;
  };
  const row = (choice: string, i: number, width: number): string => {
    const label = truncateToWidth(safeLine(choice), Math.max(1, width - 4), '…');
    return i === at ? theme.chosen(`  › ${label}`) : `    ${label}`;
  };

  return {
    focused: false,
    invalidate: () => input.invalidate(),
    handleInput: (data) => {
      if (matchesKey(data, 'escape') || matchesKey(data, 'ctrl+c')) return options.onDone(undefined);
      if (matchesKey(data, 'enter')) return confirm();
      const count = Math.max(1, rows());
      if (matchesKey(data, 'up')) at = (at - 1 + count) % count;
      else if (matchesKey(data, 'down') || matchesKey(data, 'tab')) at = (at + 1) % count;
      else type(data);
    },
    render: (width) => {
      input.focused = true;
      const choices = shown();
      const from = Math.max(0, Math.min(at, choices.length - 1) - MOST_ROWS + 1);
      const visible = choices.slice(from, from + MOST_ROWS);
      const field = input.render(Math.max(4, width - 4)).map((line) => {
        const marker = typing === 'filter' || at >= choices.length ? theme.chosen('  › ') : '    ';
        return marker + line;
      });
      const list = visible.map((choice, i) => row(choice, from + i, width));
      return [
        theme.dim('─'.repeat(width)),
        ...hanging(theme.accent('? '), theme.bold, safeText(options.title), width),
        ...(typing === 'filter' ? [...field, ...list] : [...list, ...field]),
        theme.dim(truncateToWidth(options.keys, width, '…')),
      ];
    },
  };
}
