/** How many columns a text takes: CJK characters take two. */
function width(text: string): number {
  let columns = 0;
  // oxlint-disable-next-line no-control-regex -- colour codes take no room
  for (const char of text.replace(/\u001b\[[0-9;]*m/g, '')) {
    columns += /[⺀-鿿가-힯豈-﫿＀-￯]/.test(char) ? 2 : 1;
  }
  return columns;
}

/** Rows with their columns aligned, without trailing space. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>((most, row) => {
    for (const [column, cell] of row.entries()) most[column] = Math.max(most[column] ?? 0, width(cell));
    return most;
  }, []);
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - width(cell)))
      .join('  ')
      .trimEnd();
  return rows.map(line).join('\n');
}
