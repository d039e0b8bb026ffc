/** US dollars, hundredths of a cent below one. */
export function shownCost(dollars: number): string {
  if (dollars === 0) return '$0';
  if (dollars >= 1) return `$${dollars.toFixed(2)}`;
  return dollars < 0.0001 ? '<$0.0001' : `$${dollars.toFixed(4)}`;
}
