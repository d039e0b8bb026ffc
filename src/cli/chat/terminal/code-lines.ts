import { visibleWidth, wrapTextWithAnsi } from '@earendil-works/pi-tui';
import type { Block } from '../split-blocks.ts';
import type { Theme } from './theme.ts';

const MOST_COLUMNS = 100;

/** A listing in its frame. There is no right edge, so that code can be copied without it. */
export function codeLines(block: Extract<Block, { kind: 'code' }>, width: number, { dim }: Theme): string[] {
  const across = Math.min(width, MOST_COLUMNS);
  const label = block.lang ? `╭─ ${block.lang} ` : '╭─';
  const lines = block.opens ? [dim(label + '─'.repeat(Math.max(0, across - visibleWidth(label))))] : [];
  const room = Math.max(1, width - 2);
  if (block.text) {
    for (const line of block.text.replaceAll('\t', '    ').split('\n')) {
      const wrapped = visibleWidth(line) > room ? wrapTextWithAnsi(line, room) : [line];
      for (const each of wrapped) lines.push(`${dim('│')} ${each}`);
    }
  }
  if (block.closes) lines.push(dim(`╰${'─'.repeat(Math.max(0, across - 1))}`));
  return lines;
}
