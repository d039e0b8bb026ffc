import type { Component } from '@earendil-works/pi-tui';

/** Lines that follow from the width alone. */
export function linesBlock(lines: (width: number) => readonly string[]): Component {
  let cache: { readonly width: number; readonly lines: readonly string[] } | undefined;
  return {
    invalidate: () => {
      cache = undefined;
    },
    render: (width) => {
      if (cache?.width !== width) cache = { width, lines: lines(width) };
      return [...cache.lines];
    },
  };
}
