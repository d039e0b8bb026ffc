import { type Component, truncateToWidth, visibleWidth } from '@earendil-works/pi-tui';
import type { Text } from '../../text/index.ts';
import { fitParts, SEPARATOR, type Status, statusParts } from '../status-line.ts';
import type { Theme } from './theme.ts';

/** The line under the editor. */
export function statusBar(status: () => Status, now: () => number, text: Text, theme: Theme): Component {
  const tones = {
    plain: theme.dim,
    active: theme.accent,
    good: theme.good,
    warn: theme.warn,
    bad: theme.bad,
  };
  return {
    invalidate: () => undefined,
    render: (width) => {
      const parts = fitParts(statusParts(status(), now(), text), width - 1, visibleWidth);
      const line = parts.map((part) => tones[part.tone](part.text)).join(theme.dim(SEPARATOR));
      return [truncateToWidth(` ${line}`, width, '…')];
    },
  };
}
