import type { TimeWindow } from '#spec/data';
import { fail } from '#kit/app-error';
import { tell } from '#kit/text';

/** Both ends in milliseconds since the epoch, the start first. */
export function windowMs({ start, end }: TimeWindow): { readonly from: number; readonly to: number } {
  const [from, to] = [Date.parse(start), Date.parse(end)];
  if (Number.isNaN(from) || Number.isNaN(to))
    throw fail('input.invalid', tell('The window has no valid times.', '时间范围无效。'));
  if (to < from)
    throw fail('input.invalid', tell('The window ends before it starts.', '时间范围的结束早于开始。'));
  return { from, to };
}

/** The window cut into equal pieces, the earliest first. */
export function slices(window: TimeWindow, count: number): TimeWindow[] {
  const { from, to } = windowMs(window);
  const edge = (at: number) => new Date(from + Math.round(((to - from) * at) / count));
  return Array.from({ length: count }, (_, at) => ({
    start: edge(at).toISOString(),
    // Both ends belong to a window: the next one begins a millisecond later.
    end: new Date(edge(at + 1).getTime() - (at + 1 < count ? 1 : 0)).toISOString(),
  }));
}
