/** A table of text, as files have it. */
interface TextTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** There were more rows than were read. */
  readonly cut: boolean;
}

/** Reads comma-, semicolon- or tab-separated text with quotes (RFC 4180). The first row names the columns. */
export function parseTable(text: string, mostRows = 200_000): TextTable {
  const separator = separatorOf(text);
  const rows: string[][] = [];
  let row: string[] = [];
  let field = '';
  let quoted = false;
  let at = 0;
  const endRow = () => {
    row.push(field);
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
    field = '';
  };
  for (; at < text.length && rows.length <= mostRows; at++) {
    const char = text[at];
    if (quoted) {
      if (char !== '"') field += char;
      else if (text[at + 1] === '"') {
        field += '"';
        at++;
      } else quoted = false;
    } else if (char === '"' && field === '') quoted = true;
    else if (char === separator) {
      row.push(field);
      field = '';
    } else if (char === '\n') endRow();
    else if (char !== '\r') field += char;
  }
  if (field !== '' || row.length > 0) endRow();
  const [columns = [], ...body] = rows;
  return { columns: columns.map((name) => name.trim()), rows: body, cut: at < text.length };
}

function separatorOf(text: string): string {
  const head = text.slice(0, text.indexOf('\n') < 0 ? undefined : text.indexOf('\n'));
  const most = [',', ';', '\t', '|']
    .map((mark) => [mark, head.split(mark).length] as const)
    .toSorted((a, b) => b[1] - a[1])[0];
  return most?.[0] ?? ',';
}

/** A cell as a number, where it is one. */
export function numberOf(cell: string): number | undefined {
  const text = cell.trim();
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined;
}

/** Rows as records, numbers as numbers. */
export const recordsOf = ({ columns, rows }: TextTable): Record<string, string | number | null>[] =>
  rows.map((row) =>
    Object.fromEntries(
      columns.map((name, at) => {
        const cell = row[at] ?? '';
        return [name, cell === '' ? null : (numberOf(cell) ?? cell)];
      }),
    ),
  );
