import type { PageNode } from './page-node.ts';

const MOST_ROWS = 500;

/**
 * A table in Markdown. One that only arranges things on the page (a single column, or tables within it) is given back
 * as what it holds.
 */
export function tableLines(
  table: PageNode,
  cellText: (cell: PageNode) => string,
  asBlocks: () => string,
): string {
  const found = [...(table.querySelectorAll?.('tr') ?? [])];
  const nested = table.querySelector?.('table') != null;
  const rows = found
    .slice(0, MOST_ROWS)
    .map((row) =>
      cellsOf(row).map((cell) => cellText(cell).replace(/\s+/g, ' ').replaceAll('|', '\\|').trim()),
    )
    .filter((cells) => cells.some((text) => text !== ''));
  const width = Math.max(0, ...rows.map((cells) => cells.length));
  if (nested || width < 2 || rows.length < 2) return asBlocks();
  const line = (cells: readonly string[]) =>
    `| ${Array.from({ length: width }, (_, at) => cells[at] ?? '').join(' | ')} |`;
  const [head = [], ...body] = rows;
  const rest = found.length > MOST_ROWS ? [`[${found.length - MOST_ROWS} more rows]`] : [];
  return [line(head), line(Array.from({ length: width }, () => '---')), ...body.map(line), ...rest].join(
    '\n',
  );
}

/** A cell over several columns keeps the ones after it in their place. */
function cellsOf(row: PageNode): PageNode[] {
  return [...row.childNodes]
    .filter(({ nodeName }) => /^T[DH]$/i.test(nodeName))
    .flatMap((cell) => {
      const span = Math.min(20, Math.max(1, Number(cell.getAttribute?.('colspan') ?? 1) || 1));
      return [cell, ...Array.from({ length: span - 1 }, () => EMPTY)];
    });
}

const EMPTY: PageNode = { nodeType: 1, nodeName: 'TD', textContent: '', parentNode: null, childNodes: [] };
