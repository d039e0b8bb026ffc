import type uPlot from 'uplot';
import type { ChartMarker, ChartWindow } from './chart.tsx';

type Token = (name: string) => string;

/** Labels closer than this to the one before are left out. */
const LABEL_ROOM = 90;

/** Shades spans of time, under the lines. */
export function drawWindows(plot: uPlot, windows: readonly ChartWindow[], token: Token): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.fillStyle = token('shade');
  for (const { start, end } of mergeWindows(windows)) {
    const from = Math.max(bbox.left, plot.valToPos(start, 'x', true));
    const to = Math.min(bbox.left + bbox.width, plot.valToPos(end, 'x', true));
    if (to > from) ctx.fillRect(from, bbox.top, to - from, bbox.height);
  }
  ctx.restore();
}

/** Spans that overlap become one: shades must not add up. */
export function mergeWindows(windows: readonly ChartWindow[]): readonly ChartWindow[] {
  const merged: { start: number; end: number }[] = [];
  for (const { start, end } of windows.toSorted((one, other) => one.start - other.start)) {
    const last = merged.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else merged.push({ start, end });
  }
  return merged;
}

/** Draws moments as dashed lines with a small flag on top. */
export function drawMarkers(
  plot: uPlot,
  markers: readonly ChartMarker[],
  token: Token,
  font: string,
  labels: boolean,
): void {
  const { ctx, bbox } = plot;
  const scale = devicePixelRatio;
  ctx.save();
  ctx.strokeStyle = token('info');
  ctx.fillStyle = token('info');
  ctx.font = font.replace(/^\d+px/, `${10 * scale}px`);
  ctx.textBaseline = 'bottom';
  ctx.lineWidth = scale;
  let last = Number.NEGATIVE_INFINITY;
  for (const { time, label } of markers.toSorted((one, other) => one.time - other.time)) {
    const x = Math.round(plot.valToPos(time, 'x', true)) + 0.5;
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.setLineDash([3 * scale, 3 * scale]);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.setLineDash([]);
    ctx.beginPath();
    ctx.moveTo(x - 4 * scale, bbox.top);
    ctx.lineTo(x + 4 * scale, bbox.top);
    ctx.lineTo(x, bbox.top + 5 * scale);
    ctx.fill();
    if (!labels || x - last < LABEL_ROOM * scale) continue;
    const short = label.length > 28 ? `${label.slice(0, 27)}…` : label;
    // Near the right edge there is room on the left only.
    const fits = x + ctx.measureText(short).width < bbox.left + bbox.width;
    ctx.textAlign = fits ? 'left' : 'right';
    ctx.fillText(short, x, bbox.top - 1);
    last = x;
  }
  ctx.restore();
}
