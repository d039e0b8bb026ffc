import { safeLine } from './safe-text.ts';
import type { ToolItem } from './turn-view.ts';

const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/** The picture of something that goes on, by the clock: every line turns in step. */
export const spinner = (now: number): string => SPINNER[Math.floor(now / 100) % SPINNER.length] ?? '·';

/** The arguments of a call in a few words: the one value, or `name=value` for several. */
export function shortArguments(json: string): string {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    // Half a call, or one that is no JSON: shown as it is.
    return safeLine(json).slice(0, 200);
  }
  if (value === null || typeof value !== 'object') return safeLine(String(value));
  const pairs = Object.entries(value).filter(
    ([, each]) => each !== undefined && each !== null && each !== '',
  );
  const [only] = pairs;
  if (only && pairs.length === 1) return words(only[1]);
  const [first, ...rest] = pairs;
  if (!first) return '';
  const lead = typeof first[1] === 'string' ? words(first[1]) : `${first[0]}=${words(first[1])}`;
  return [lead, ...rest.map(([name, each]) => `${safeLine(name)}=${words(each)}`)].join(' ');
}

function words(value: unknown): string {
  const text = safeLine(typeof value === 'string' ? value : JSON.stringify(value));
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

export const duration = (ms: number): string => {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
};

export interface ToolLine {
  readonly mark: string;
  readonly name: string;
  readonly rest: string;
  /** Dim, after the rest: `(120 lines, 12 ms)`. */
  readonly note: string;
}

/** A call in one line, in parts that are coloured apart. */
export function toolLine(item: ToolItem, now: number): ToolLine {
  const shown = { name: safeLine(item.name), rest: shortArguments(item.arguments) };
  if (item.state === 'running') {
    const elapsed = now - item.startedAt;
    const progress = item.progress ? safeLine(item.progress) : '';
    const notes = [progress, elapsed >= 1_000 ? duration(elapsed) : ''].filter(Boolean);
    return { ...shown, mark: spinner(now), note: notes.join(' · ') };
  }
  const notes = [item.summary ? safeLine(item.summary) : '', item.ms === undefined ? '' : duration(item.ms)];
  const mark = { done: '✓', failed: '✗', stopped: '■' }[item.state];
  const note = notes.filter(Boolean).join(', ');
  return { ...shown, mark, note: note ? `(${note})` : '' };
}
