import type { Say } from './topic.ts';

const KB_IN_GIB = 1024 * 1024;
const KB_IN_MIB = 1024;

/** Kibibytes for people. */
export const sizeOf = (kb: number): string =>
  kb >= KB_IN_GIB
    ? `${(kb / KB_IN_GIB).toFixed(1)} GiB`
    : kb >= KB_IN_MIB
      ? `${Math.round(kb / KB_IN_MIB)} MiB`
      : `${Math.round(kb)} KiB`;

export const percent = (part: number, whole: number): number =>
  whole > 0 ? Math.round((part / whole) * 100) : 0;

export function spanOf(seconds: number, say: Say): string {
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor((seconds % 86_400) / 3_600);
  const minutes = Math.floor((seconds % 3_600) / 60);
  if (days > 0) return say(`${days} d ${hours} h`, `${days} 天 ${hours} 小时`);
  return hours > 0
    ? say(`${hours} h ${minutes} min`, `${hours} 小时 ${minutes} 分钟`)
    : say(`${minutes} min`, `${minutes} 分钟`);
}

/** What `grep -H` printed, by file. */
export function byFile(lines: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const files = new Map<string, string[]>();
  for (const line of lines) {
    const [, file, rest] = /^(\/[^:]+):(.*)$/.exec(line) ?? [];
    if (file !== undefined && rest !== undefined) files.set(file, [...(files.get(file) ?? []), rest]);
  }
  return files;
}

/** `Key: value`, `Key=value` and the like, by key. */
export const fields = (lines: readonly string[]): ReadonlyMap<string, string> =>
  new Map(
    lines.flatMap((line) => {
      const [, key, value] = /^\s*([^:=]+?)\s*[:=]\s*(.*?)\s*$/.exec(line) ?? [];
      return key === undefined || value === undefined
        ? []
        : [[key, value.replace(/^"(.*)"$/, '$1')] as const];
    }),
  );

/** A number at the beginning of a text. */
export function numberIn(text: string | undefined): number | undefined {
  const number = Number.parseFloat(text ?? '');
  return Number.isNaN(number) ? undefined : number;
}

export const columns = (line: string): string[] => line.trim().split(/\s+/);

/** A list in a sentence, not too long. */
export const named = (names: readonly string[], say: Say, most = 6): string =>
  names.slice(0, most).join(say(', ', '、')) +
  (names.length > most ? say(` and ${names.length - most} more`, ` 等 ${names.length} 个`) : '');
