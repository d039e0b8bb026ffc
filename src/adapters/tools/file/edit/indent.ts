export const indentOf = (line: string): string => /^[\t ]*/.exec(line)?.[0] ?? '';
const isBlank = (line: string): boolean => line.trim() === '';

/**
 * Gives new lines the indentation of the place they go to: `asked` are the lines as they were asked for, `found`
 * those that stand there. An indentation seen in `asked` becomes the one found beside it; a deeper one is built on
 * the nearest.
 */
export function reindent(
  lines: readonly string[],
  asked: readonly string[],
  found: readonly string[],
): string[] {
  const known = new Map<string, string>();
  for (const [at, line] of asked.entries()) {
    const beside = found[at];
    if (beside !== undefined && !isBlank(line) && !known.has(indentOf(line)))
      known.set(indentOf(line), indentOf(beside));
  }
  if ([...known].every(([from, to]) => from === to)) return [...lines];
  const unit = smallestStep([...asked, ...lines]);
  return lines.map((line) =>
    isBlank(line) ? line : translate(indentOf(line), known, unit) + line.slice(indentOf(line).length),
  );
}

function translate(indent: string, known: ReadonlyMap<string, string>, unit: number): string {
  const exact = known.get(indent);
  if (exact !== undefined) return exact;
  const bases = [...known.keys()].sort((a, b) => b.length - a.length);
  const base = bases.find((candidate) => indent.startsWith(candidate));
  if (base !== undefined) {
    const target = known.get(base) ?? '';
    const deeper = indent.slice(base.length);
    const tabbed = [...known.values()].some((value) => value.includes('\t'));
    return (
      target +
      (tabbed
        ? '\t'.repeat(Math.round(width(deeper, unit) / unit))
        : deeper.replaceAll('\t', ' '.repeat(unit)))
    );
  }
  // Shallower than anything asked for: as many steps less than the shallowest found.
  const shallowest = bases.at(-1) ?? '';
  const target = known.get(shallowest) ?? '';
  const steps = Math.round((width(shallowest, unit) - width(indent, unit)) / unit);
  return target.includes('\t')
    ? target.slice(0, Math.max(0, target.length - steps))
    : target.slice(0, Math.max(0, target.length - steps * unit));
}

const width = (indent: string, unit: number): number => indent.replaceAll('\t', ' '.repeat(unit)).length;

function smallestStep(lines: readonly string[]): number {
  const widths = [...new Set(lines.filter((line) => !isBlank(line)).map((line) => indentOf(line).length))];
  widths.sort((a, b) => a - b);
  const steps = widths.slice(1).map((value, at) => value - (widths[at] ?? 0));
  const smallest = Math.min(...steps.filter((step) => step > 1), 8);
  return smallest === 8 && !steps.includes(8) ? 4 : smallest;
}
