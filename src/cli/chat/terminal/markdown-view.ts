import { type Component, Markdown } from '@earendil-works/pi-tui';
import { safeText } from '../safe-text.ts';
import { type Block, type BlockSplitter, blockSplitter } from '../split-blocks.ts';
import { codeLines } from './code-lines.ts';
import type { Theme } from './theme.ts';

export interface MarkdownView extends Component {
  /** The whole text so far: it only ever grows at its end. */
  setText(text: string): void;
  /** No more will come. */
  finish(): void;
}

export interface MarkdownOptions {
  /** Rows that an unfinished table may take: its columns can still change, so it must not scroll away. */
  readonly tableRows: () => number;
  readonly clipped: (rows: number) => string;
}

/** Markdown that grows. Finished blocks are rendered once for a width; only the last one is rendered again. */
export function markdownView(theme: Theme, options: MarkdownOptions): MarkdownView {
  const splitter: BlockSplitter = blockSplitter();
  let taken = 0;
  let finished = false;
  let width = 0;
  let lines: string[] = [];
  let rendered = 0;
  let tail: { readonly key: string; readonly lines: readonly string[] } | undefined;

  const renderBlock = (block: Block, first: boolean): string[] => {
    const gap = block.gap && !first ? [''] : [];
    if (block.kind === 'code') return [...gap, ...codeLines(block, width, theme)];
    const view = new Markdown(block.text, 0, 0, theme.markdown, undefined, { renderLatex: false });
    return [...gap, ...view.render(width).map(trimEnd)];
  };
  const openLines = (): readonly string[] => {
    const open = splitter.open();
    if (!open) return [];
    const key = `${open.kind}${open.gap}${open.text}`;
    if (tail?.key === key) return tail.lines;
    const all = renderBlock(open, !lines.length);
    const most = Math.max(4, options.tableRows());
    const clip = open.kind === 'table' && !finished && all.length > most;
    const kept = clip
      ? [...all.slice(0, 3), theme.dim(options.clipped(all.length - most)), ...all.slice(3 - most)]
      : all;
    tail = { key, lines: kept };
    return kept;
  };

  return {
    setText: (text) => {
      if (text.length === taken) return;
      splitter.push(safeText(text.slice(taken)));
      taken = text.length;
    },
    finish: () => {
      finished = true;
      tail = undefined;
    },
    invalidate: () => {
      width = 0;
    },
    render: (columns) => {
      if (columns !== width) [width, lines, rendered, tail] = [columns, [], 0, undefined];
      for (; rendered < splitter.done.length; rendered++) {
        lines.push(...renderBlock(splitter.done[rendered] as Block, !lines.length));
      }
      return [...lines, ...openLines()];
    },
  };
}

/** Without the padding at the end: it would wrap when the terminal becomes narrower. */
const trimEnd = (line: string): string => line.replace(/ +$/, '');
