/** How many columns a text takes: CJK characters take two. */
function width(text: string): number {
  let columns = 0;
  // oxlint-disable-next-line no-control-regex -- colour codes take no room
  for (const char of text.replace(/\u001b\[[0-9;]*m/g, '')) {
    columns += /[⺀-鿿가-힯豈-﫿＀-￯]/.test(char) ? 2 : 1;
  }
  return columns;
}

/** The text, filled up to a number of columns. */
export const padEnd = (text: string, columns: number): string =>
  text + ' '.repeat(Math.max(0, columns - width(text)));

/** Rows with their columns aligned, without trailing space. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>((most, row) => {
    for (const [column, cell] of row.entries()) most[column] = Math.max(most[column] ?? 0, width(cell));
    return most;
  }, []);
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => padEnd(cell, widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return rows.map(line).join('\n');
}
