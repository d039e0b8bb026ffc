import type { LineChart } from './line-chart.ts';

/** A piece of a line. Plain strings and the texts inside are data, whatever they look like: the writers escape them. */
export type Inline =
  | string
  | { readonly code: string }
  | { readonly link: string; readonly text: string }
  | Strong;
interface Strong {
  readonly strong: string;
}
export type Line = Inline | readonly Inline[];

/** One part of a report. The same list is written as Markdown and as HTML. */
export type Block =
  | { readonly kind: 'heading'; readonly level: 2 | 3; readonly text: string }
  | { readonly kind: 'text'; readonly text: Line }
  | { readonly kind: 'note'; readonly text: Line }
  | { readonly kind: 'list'; readonly items: readonly Line[] }
  /** `numbers`: columns that are aligned as numbers. */
  | {
      readonly kind: 'table';
      readonly head: readonly string[];
      readonly rows: readonly (readonly Line[])[];
      readonly numbers?: readonly number[];
    }
  | { readonly kind: 'code'; readonly text: string; readonly language?: 'diff' }
  | { readonly kind: 'chart'; readonly chart: LineChart };

export const inlines = (line: Line): readonly Inline[] =>
  Array.isArray(line) ? (line as readonly Inline[]) : [line as Inline];
