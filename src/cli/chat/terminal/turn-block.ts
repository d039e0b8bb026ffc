import type { Component } from '@earendil-works/pi-tui';
import type { Text } from '../../text/index.ts';
import type { Item, TurnView } from '../turn-view.ts';
import { itemLines } from './item-lines.ts';
import { type MarkdownView, markdownView } from './markdown-view.ts';
import type { Theme } from './theme.ts';

export interface TurnBlock extends Component {
  readonly view: TurnView;
  update(view: TurnView): void;
  showThinking: boolean;
  /** What the calls returned, by call, while their details are shown. */
  results: ReadonlyMap<string, string> | undefined;
}

export interface TurnBlockOptions {
  readonly theme: Theme;
  readonly text: Text;
  readonly now: () => number;
  readonly rows: () => number;
}

interface Part {
  item: Item;
  readonly answer?: MarkdownView;
  cache?: undefined | { readonly key: string; readonly lines: readonly string[] };
}

/** One turn on the screen: what was said, thought, called and answered. */
export function turnBlock(first: TurnView, options: TurnBlockOptions): TurnBlock {
  const { theme, text } = options;
  const parts: Part[] = [];
  let view = first;
  const makePart = (item: Item): Part => {
    if (item.kind !== 'text') return { item };
    const limits = { tableRows: () => options.rows() - 10, clipped: text.ui.clipped };
    return { item, answer: markdownView(theme, limits) };
  };

  const block: TurnBlock = {
    showThinking: false,
    results: undefined,
    get view() {
      return view;
    },
    update: (next) => {
      view = next;
      for (const [i, item] of next.items.entries()) {
        const part = (parts[i] ??= makePart(item));
        if (part.item !== item) [part.item, part.cache] = [item, undefined];
        if (item.kind === 'text') part.answer?.setText(item.text);
        if (item.kind === 'text' && (i < next.items.length - 1 || next.activity.kind === 'idle')) {
          part.answer?.finish();
        }
      }
    },
    invalidate: () => {
      for (const part of parts) part.cache = undefined;
    },
    render: (width) => {
      const lines: string[] = [];
      for (const [i, part] of parts.entries()) {
        if (gapBetween(parts[i - 1]?.item, part.item)) lines.push('');
        for (const line of partLines(part, width)) lines.push(line);
      }
      return lines;
    },
  };
  const partLines = (part: Part, width: number): readonly string[] => {
    const { item } = part;
    if (item.kind === 'text') return part.answer?.render(width) ?? [];
    const { showThinking, results } = block;
    const live =
      (item.kind === 'tool' && item.state === 'running') ||
      (item.kind === 'thinking' && item.ms === undefined);
    const key = `${width} ${showThinking} ${results ? 'details' : ''}`;
    if (!live && part.cache?.key === key) return part.cache.lines;
    const resultOf = results && ((call: string) => results.get(call));
    const lines = itemLines(item, width, { theme, text, now: options.now(), showThinking, resultOf });
    if (!live) part.cache = { key, lines };
    return lines;
  };
  block.update(first);
  return block;
}

/** Answers and what the user says stand apart; calls and notices keep close to each other. */
function gapBetween(before: Item | undefined, item: Item): boolean {
  if (!before) return true;
  const apart = (kind: Item['kind']) => kind === 'text' || kind === 'user' || kind === 'steer';
  if (item.kind === 'user' && before.kind === 'user') return false;
  return apart(item.kind) || apart(before.kind);
}
