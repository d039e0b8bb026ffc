import { truncateToWidth, visibleWidth, wrapTextWithAnsi } from '@earendil-works/pi-tui';
import type { Text } from '../../text/index.ts';
import { attemptLine, errorLines } from '../error-lines.ts';
import { safeLine, safeText } from '../safe-text.ts';
import { duration, spinner, toolLine } from '../tool-line.ts';
import type { Item, ToolItem } from '../turn-view.ts';
import type { Theme } from './theme.ts';

/** Lines of thinking that are shown while it goes on. */
const LIVE_THINKING = 6;
const DETAIL_LINES = 12;

export interface LineOptions {
  readonly theme: Theme;
  readonly text: Text;
  readonly now: number;
  readonly showThinking: boolean;
  /** What a call returned, when the details are to be shown. */
  readonly resultOf?: ((call: string) => string | undefined) | undefined;
}

/** An item other than an answer, as lines of a width. */
export function itemLines(
  item: Exclude<Item, { kind: 'text' }>,
  width: number,
  options: LineOptions,
): string[] {
  const { theme, text } = options;
  switch (item.kind) {
    case 'user':
      return hanging(theme.accent('› '), theme.bold, safeText(item.text), width);
    case 'steer':
      return hanging(theme.accent('↳ '), theme.bold, safeText(item.text), width);
    case 'thinking':
      return thinkingLines(item, width, options);
    case 'tool':
      return [callLine(item, width, options), ...detailLines(item, width, options)];
    case 'attempt':
      return hanging(theme.warn('! '), theme.warn, attemptLine(item.error, item.next, text), width);
    case 'error': {
      const [head = '', ...rest] = errorLines(item.error, text);
      const hints = rest.flatMap((line) => hanging('  ', theme.dim, line, width));
      return [...hanging(theme.bad('✗ '), theme.bad, head, width), ...hints];
    }
    case 'compacted':
      return [theme.dim(`· ${text.ui.compacted(thousands(item.before), thousands(item.after))}`)];
    case 'notice':
      return hanging(theme.dim('· '), theme.dim, safeText(item.text), width);
    case 'stopped':
      return [theme.dim(`■ ${text.ui.stopped}`)];
    case 'cut_short':
      return hanging(theme.warn('! '), theme.warn, text.cutShort, width);
  }
}

/** Text behind a mark, its further lines indented as far. */
export function hanging(
  mark: string,
  style: (text: string) => string,
  words: string,
  width: number,
): string[] {
  const indent = ' '.repeat(visibleWidth(mark));
  const room = Math.max(1, width - indent.length);
  const lines = words
    .replaceAll('\t', '    ')
    .split('\n')
    .flatMap((line) => wrapTextWithAnsi(line, room));
  return lines.map((line, i) => (i ? indent : mark) + style(line));
}

function thinkingLines(
  item: Extract<Item, { kind: 'thinking' }>,
  width: number,
  { theme, text, now, showThinking }: LineOptions,
): string[] {
  const over = item.ms !== undefined;
  const head = over
    ? `✻ ${text.ui.thought(duration(item.ms ?? 0))}`
    : `${spinner(now)} ${text.ui.thinking} ${duration(now - item.startedAt)}`;
  const body = () => hanging('  ', theme.dim, safeText(item.text.trim()), width);
  if (over) return showThinking ? [theme.dim(head), ...body()] : [theme.dim(head)];
  return [theme.dim(head), ...(showThinking ? body() : body().slice(-LIVE_THINKING))];
}

function callLine(item: ToolItem, width: number, { theme, now }: LineOptions): string {
  const { mark, name, rest, note } = toolLine(item, now);
  const colour = { running: theme.accent, done: theme.good, failed: theme.bad, stopped: theme.dim }[
    item.state
  ];
  // The end of the line says how it went: the arguments give way to it.
  const ending = note ? ` ${truncateToWidth(note, Math.max(8, Math.floor(width / 2)), '…')}` : '';
  const head = `${mark} ${name}`;
  const room = width - visibleWidth(head) - visibleWidth(ending) - 1;
  const middle = rest && room > 3 ? ` ${truncateToWidth(rest, room, '…')}` : '';
  const line = `${colour(mark)} ${theme.bold(name)}${middle}${(item.state === 'failed' ? theme.bad : theme.dim)(ending)}`;
  return truncateToWidth(line, width, '…');
}

function detailLines(item: ToolItem, width: number, { theme, text, resultOf }: LineOptions): string[] {
  if (!resultOf) return [];
  const bar = `  ${theme.dim('│')} `;
  const result = safeText(resultOf(item.call) ?? '').trimEnd();
  const lines = result ? result.split('\n') : [];
  const shown = lines
    .slice(0, DETAIL_LINES)
    .map((line) => safeLine(line.replaceAll('\t', '  ').trimEnd()) || ' ');
  const more = lines.length > shown.length ? [text.ui.moreLines(lines.length - shown.length)] : [];
  const all = [theme.accent(safeLine(item.arguments)), ...shown.map(theme.dim), ...more.map(theme.dim)];
  return all.map((line) => truncateToWidth(bar + line, width, '…'));
}

const thousands = (count: number): string => (count < 1_000 ? `${count}` : `${Math.round(count / 1_000)}k`);
