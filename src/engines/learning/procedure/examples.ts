import { SECTIONS } from './edit-document.ts';

/** The lines under "When to use", without their dashes. */
export function examplesIn(text: string): string[] {
  const lines = sectionLines(text);
  return lines.filter((line) => line.startsWith('- ')).map((line) => line.slice(2).trim());
}

/** The text without some of those lines. */
export function withoutExamples(text: string, gone: ReadonlySet<string>): string {
  const inside = new Set(sectionLines(text));
  return text
    .split('\n')
    .filter((line) => !(inside.has(line) && line.startsWith('- ') && gone.has(line.slice(2).trim())))
    .join('\n');
}

function sectionLines(text: string): string[] {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.trim() === `## ${SECTIONS.when}`);
  if (start < 0) return [];
  const end = lines.findIndex((line, at) => at > start && line.startsWith('## '));
  return lines.slice(start + 1, end < 0 ? undefined : end);
}
