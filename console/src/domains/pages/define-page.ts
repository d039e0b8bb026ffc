import type { ComponentType } from 'react';
import type { Text } from '#spec/data';

/** Groups of the navigation, in their order. */
export const NAV_GROUPS = ['operate', 'learn', 'agent', 'system'] as const;
type NavGroup = (typeof NAV_GROUPS)[number];

/**
 * A page: `pages/<name>/page.ts` exports one as `page`, and that is all it takes to have an address, a place in the
 * navigation and the palette, and keys.
 */
export interface ConsolePage {
  /** An address of React Router: `/incidents/:id`. */
  readonly path: string;
  /** Absent: it is reached from other pages only. */
  readonly nav?: {
    readonly label: Text;
    readonly group: NavGroup;
    readonly order: number;
    /** What follows `g`. */
    readonly key?: string;
    /** The path of an icon of 16 × 16, drawn with a line. */
    readonly icon: string;
    /** A number beside the label, where there is something to count. */
    readonly useCount?: () => number;
  };
  readonly load: () => Promise<{ readonly default: ComponentType }>;
}

export const definePage = (page: ConsolePage): ConsolePage => page;
