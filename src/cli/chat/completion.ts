import type { SlashCommandInfo } from '#app/conversation';
import { safeLine } from './safe-text.ts';

interface Suggestion {
  readonly value: string;
  readonly label: string;
  readonly description?: string;
}

export interface Suggestions {
  readonly items: readonly Suggestion[];
  /** What the chosen value takes the place of, up to the cursor. */
  readonly prefix: string;
}

const MOST = 20;

/** Slash commands for what stands before the cursor, or undefined where no command can stand. */
export function completeCommand(
  before: string,
  commands: readonly SlashCommandInfo[],
): Suggestions | undefined {
  const typed = /^\s*(\/\S*)$/.exec(before)?.[1];
  if (typed === undefined) return undefined;
  const wanted = typed.toLowerCase();
  const starts = commands.filter(({ name }) => name.startsWith(wanted));
  const inside = commands.filter(({ name }) => !name.startsWith(wanted) && name.includes(wanted.slice(1)));
  const items = [...starts, ...inside].slice(0, MOST).map(({ name, usage, summary }) => ({
    value: name,
    label: safeLine(usage ? `${name} ${usage}` : name),
    description: safeLine(summary),
  }));
  return items.length ? { items, prefix: typed } : undefined;
}

/** The `@path` before the cursor, with what was typed of it. */
export const pathPrefix = (before: string): string | undefined =>
  /(?:^|[\s(\u3000-\u303f])(@[^\s@]*)$/u.exec(before)?.[1];

/** Paths that fit what was typed after the `@`: those that begin so, then names that begin so, then any that contain it. */
export function completePath(prefix: string, paths: readonly string[]): Suggestions | undefined {
  const wanted = prefix.slice(1).toLowerCase();
  const scored = paths
    .map((path) => ({ path, score: score(path.toLowerCase(), wanted) }))
    .filter(({ score: each }) => each >= 0)
    .sort((a, b) => a.score - b.score || a.path.length - b.path.length || (a.path < b.path ? -1 : 1))
    .slice(0, MOST);
  const items = scored.map(({ path }) => ({ value: `@${path}`, label: path }));
  return items.length ? { items, prefix } : undefined;
}

function score(path: string, wanted: string): number {
  if (path.startsWith(wanted)) return path.slice(wanted.length).replace(/\/$/, '').includes('/') ? 1 : 0;
  const name = path.replace(/\/$/, '').split('/').at(-1) ?? '';
  if (name.startsWith(wanted)) return 2;
  return path.includes(wanted) ? 3 : -1;
}
