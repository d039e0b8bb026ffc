import type { Text } from '../text/index.ts';
import { safeLine } from './safe-text.ts';
import { duration, spinner } from './tool-line.ts';
import type { Activity } from './turn-view.ts';

export interface Status {
  readonly model: string;
  readonly context: { readonly used: number; readonly window: number };
  readonly title: string;
  readonly cost: number;
  readonly activity: Activity;
  readonly startedAt: number;
  readonly budget?: { readonly used: number; readonly limit: number };
}

/** A part of the line. `tone` is for the theme; parts of a higher `rank` are left out first. */
export interface StatusPart {
  readonly text: string;
  readonly tone: 'plain' | 'active' | 'good' | 'warn' | 'bad';
  readonly rank: number;
}

const BAR = 8;

/** What the line under the editor says, in parts. */
export function statusParts(status: Status, now: number, text: Text): StatusPart[] {
  const { used, window } = status.context;
  const parts: StatusPart[] = [];
  const doing = activityWords(status.activity, now, text);
  if (doing) {
    const elapsed = duration(Math.floor((now - status.startedAt) / 1_000) * 1_000).replace(/\.0 s$/, ' s');
    const seconds = now - status.startedAt >= 1_000 ? ` ${elapsed}` : '';
    parts.push({ text: `${spinner(now)} ${doing}${seconds}`, tone: 'active', rank: 0 });
  }
  parts.push({ text: safeLine(status.model), tone: 'plain', rank: 3 });
  if (window > 0) {
    const full = Math.min(1, used / window);
    const tone = full >= 0.9 ? 'bad' : full >= 0.7 ? 'warn' : 'plain';
    const filled = Math.round(full * BAR);
    const bar = '▰'.repeat(filled) + '▱'.repeat(BAR - filled);
    const rank = tone === 'plain' ? 2 : 1;
    parts.push({ text: `${bar} ${Math.round(full * 100)}%`, tone, rank });
  }
  const { budget } = status;
  if (budget && budget.used >= 0.8 * budget.limit) {
    parts.push({ text: text.ui.budget(budget.used, budget.limit), tone: 'warn', rank: 1 });
  }
  parts.push({ text: safeLine(status.title), tone: 'plain', rank: 5 });
  if (status.cost > 0) parts.push({ text: cost(status.cost), tone: 'plain', rank: 4 });
  return parts;
}

/** The parts that fit, in their order. */
export function fitParts(
  parts: readonly StatusPart[],
  columns: number,
  width: (text: string) => number,
): readonly StatusPart[] {
  const kept = [...parts];
  const taken = () =>
    kept.reduce((sum, part) => sum + width(part.text) + SEPARATOR.length, -SEPARATOR.length);
  while (kept.length > 1 && taken() > columns) {
    const most = Math.max(...kept.map(({ rank }) => rank));
    kept.splice(
      kept.findLastIndex(({ rank }) => rank === most),
      1,
    );
  }
  return kept;
}

export const SEPARATOR = ' · ';

const cost = (dollars: number): string => `$${dollars.toFixed(dollars < 0.1 ? 4 : 2)}`;

function activityWords(activity: Activity, now: number, { ui }: Text): string {
  switch (activity.kind) {
    case 'idle':
      return '';
    case 'preparing':
      return ui.activity.preparing(safeLine(activity.name));
    case 'tools':
      return ui.activity.tools(activity.count);
    case 'retrying':
      return ui.activity.retrying(
        safeLine(activity.who),
        Math.max(0, Math.ceil((activity.at - now) / 1_000)),
      );
    default:
      return ui.activity[activity.kind];
  }
}
