import { HIDDEN, scanContext } from '#kit/scan-context';

/** A context file as it enters the prompt: harmless, bounded, or replaced by a notice that says why. */
export function contextFile(
  name: string,
  text: string,
  mostChars: number,
): { text: string; notice?: string } {
  const scan = scanContext(text);
  const serious = scan.threats.filter((threat) => threat !== HIDDEN);
  if (serious.length) {
    const notice = `${name} was left out: it ${serious.join(' and ')}.`;
    return { text: `[${notice}]`, notice };
  }
  const notice = scan.threats.length ? `${name} has hidden characters; they are shown as ⟪U+…⟫.` : undefined;
  return { text: bounded(scan.text.trim(), mostChars), ...(notice ? { notice } : {}) };
}

/** The start tells most, the end some. */
function bounded(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = text.slice(0, Math.floor(most * 0.7));
  const tail = text.slice(text.length - Math.floor(most * 0.2));
  return `${head}\n[… ${(text.length - head.length - tail.length).toLocaleString('en')} characters left out …]\n${tail}`.toWellFormed();
}
