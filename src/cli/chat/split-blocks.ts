/** A stretch of Markdown that can be rendered on its own. `gap`: an empty line stands before it. */
export type Block =
  | { readonly kind: 'text' | 'table'; readonly text: string; readonly gap: boolean }
  | {
      readonly kind: 'code';
      readonly lang: string;
      readonly text: string;
      readonly gap: boolean;
      /** A long listing comes in several blocks: only the first opens the frame and only the last closes it. */
      readonly opens: boolean;
      readonly closes: boolean;
    };

export interface BlockSplitter {
  /** Takes what has been added at the end. */
  push(delta: string): void;
  /** Blocks that no later text can change. The array only grows. */
  readonly done: readonly Block[];
  /** What is still being written, if anything. */
  open(): Block | undefined;
}

/** Blocks longer than this are cut at a line where it does not show, so that growing text costs the same at any length. */
const MOST_LINES = 120;

const FENCE = /^( {0,3})(`{3,}|~{3,})\s*([^`]*)$/;
const INNER_FENCE = /^\s+(?:[-*+]\s+)?(?:`{3,}|~{3,})/;
const ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])\s/;
const RULE_ROW = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-*:?\s*)*$/;

interface Fence {
  readonly marker: string;
  readonly lang: string;
}

/** Splits Markdown that arrives piece by piece. Everything but the last block is final. */
export function blockSplitter(): BlockSplitter {
  const done: Block[] = [];
  let partial = '';
  let lines: string[] = [];
  let blanks = 0;
  let gap = false;
  let fence: Fence | undefined;
  let opens = true;
  let inner = false;

  const textBlock = (all: readonly string[]): Block => ({
    kind: isTable(all) ? 'table' : 'text',
    text: all.join('\n'),
    gap,
  });
  const codeBlock = (all: readonly string[], from: Fence, closes: boolean): Block => ({
    kind: 'code',
    lang: from.lang,
    text: all.join('\n'),
    gap: gap && opens,
    opens,
    closes,
  });
  const flushText = (nextGap: boolean) => {
    if (lines.length) done.push(textBlock(lines));
    lines = [];
    blanks = 0;
    inner = false;
    gap = nextGap;
  };

  const codeLine = (line: string, from: Fence) => {
    const closing = line.trim();
    const closes = closing.startsWith(from.marker) && /^(`+|~+)$/.test(closing);
    if (!closes) lines.push(line);
    if (!closes && lines.length < MOST_LINES) return;
    done.push(codeBlock(lines, from, closes));
    lines = [];
    opens = closes;
    if (closes) fence = undefined;
    gap = closes;
  };

  const isList = () => ITEM.test(lines[0] ?? '');
  const textLine = (line: string) => {
    if (!line.trim()) {
      if (inner) lines.push(line);
      else if (lines.length) blanks++;
      else gap = done.length > 0;
      return;
    }
    const continues = isList() && /^\s|^ {0,3}(?:[-*+]|\d{1,9}[.)])\s/.test(line);
    if (blanks && !(continues && lines.length < MOST_LINES)) flushText(true);
    const opening = inner ? null : FENCE.exec(line);
    if (opening && !(isList() && opening[1])) {
      flushText(done.length > 0 || lines.length > 0);
      fence = { marker: opening[2] ?? '```', lang: (opening[3] ?? '').trim() };
      opens = true;
      return;
    }
    if (isList() && INNER_FENCE.test(line)) inner = !inner;
    if (lines.length >= MOST_LINES && !inner && (!isList() || ITEM.test(line))) cutHere();
    for (; blanks; blanks--) lines.push('');
    lines.push(line);
  };
  const cutHere = () => {
    const head = isTable(lines) ? lines.slice(0, 2) : [];
    flushText(false);
    lines = head;
  };

  return {
    done,
    push: (delta) => {
      const parts = (partial + delta).split('\n');
      partial = parts.pop() ?? '';
      for (const line of parts) {
        if (fence) codeLine(line, fence);
        else textLine(line);
      }
    },
    open: () => {
      if (fence) {
        // A closing fence that is still arriving is no line of the listing.
        const shown = partial && !/^(`+|~+)$/.test(partial.trim()) ? [...lines, partial] : lines;
        return codeBlock(shown, fence, true);
      }
      const all = partial ? [...lines, ...Array.from({ length: blanks }, () => ''), partial] : lines;
      return all.length ? textBlock(all) : undefined;
    },
  };
}

const isTable = (lines: readonly string[]): boolean =>
  (lines[0]?.includes('|') ?? false) && RULE_ROW.test(lines[1] ?? '') && (lines[1]?.includes('-') ?? false);
