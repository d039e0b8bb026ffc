import type { Handler, ProcedureStep } from './procedure.ts';
import { handlerLine, stepLine } from './write-lines.ts';

/** Small edits of a skill's text: everything that is not named stays as it was, byte for byte. */

export const SECTIONS = {
  when: 'When to use',
  inputs: 'Inputs',
  procedure: 'Procedure',
  pitfalls: 'Pitfalls',
  shortcuts: 'Learned shortcuts',
  verification: 'Verification',
} as const;

const STEP = /^\s*\d+\.\s+Call\s+`/;
const HANDLER = /^(\s*-\s+When step )(\d+)( fails)/;

/** Adds a line at the end of a section, which is made where it is not there. A line that is there already stays alone. */
export function addLine(text: string, section: keyof typeof SECTIONS, line: string): string {
  const lines = text.split('\n');
  const start = lines.findIndex((one) => one.trim() === `## ${SECTIONS[section]}`);
  if (start < 0) {
    const body = text.trimEnd();
    return `${body}\n\n## ${SECTIONS[section]}\n\n${line}\n`;
  }
  const next = lines.findIndex((one, at) => at > start && one.startsWith('## '));
  let end = next < 0 ? lines.length : next;
  if (lines.slice(start, end).some((one) => one.trim() === line.trim())) return text;
  while (end > start + 1 && !lines[end - 1]?.trim()) end--;
  const added = end === start + 1 ? ['', line] : [line];
  return lines.toSpliced(end, 0, ...added).join('\n');
}

/**
 * Puts other steps in the place of `removed` ones (counted from 0), or between two of them where none is removed.
 * What the text says about steps by their numbers goes with them; what it says about a removed one goes.
 */
export function replaceSteps(
  text: string,
  at: number,
  removed: number,
  steps: readonly ProcedureStep[],
): string {
  const lines = text.split('\n');
  const places = lines.flatMap((line, index) => (STEP.test(line) ? [index] : []));
  const insertAt = places[at] ?? (places.at(-1) ?? lines.length - 1) + 1;
  const gone = new Set(places.slice(at, at + removed));
  const fresh = steps.map((step, index) => stepLine(step, at + index + 1));
  const edited = lines.flatMap((line, index) => [
    ...(index === insertAt ? fresh : []),
    ...(gone.has(index) ? [] : [line]),
  ]);
  if (insertAt >= lines.length) edited.push(...fresh);
  return renumbered(edited, at, removed, steps.length).join('\n');
}

function renumbered(lines: readonly string[], at: number, removed: number, added: number): string[] {
  let number = 0;
  return lines.flatMap((line) => {
    if (STEP.test(line)) return [line.replace(/\d+/, String(++number))];
    const handler = HANDLER.exec(line);
    if (handler) {
      const step = Number(handler[2]);
      if (step > at && step <= at + removed) return [];
      return [step > at + removed ? line.replace(HANDLER, `$1${step + added - removed}$3`) : line];
    }
    return [
      line.replace(/(in the result of step )(\d+)/, (whole: string, words: string, step: string) =>
        Number(step) > at + removed ? `${words}${Number(step) + added - removed}` : whole,
      ),
    ];
  });
}

export const addHandler = (text: string, handler: Handler): string =>
  addLine(text, 'pitfalls', handlerLine(handler));
