import { showNumber } from '../rca/show-number.ts';
import { escapeHtml } from './escape.ts';
import { niceTicks, timeTicks } from './nice-ticks.ts';
import { cutText } from './plain-text.ts';
import { linePath } from './line-path.ts';

export interface ChartSeries {
  readonly name: string;
  /** Unix seconds, rising. */
  readonly times: readonly number[];
  /** What is no number is a gap. */
  readonly values: readonly number[];
}

export interface LineChart {
  readonly title: string;
  readonly unit: string;
  /** The first four are drawn. */
  readonly series: readonly ChartSeries[];
  /** Shaded: when it was bad. Unix seconds. */
  readonly window?: { readonly from: number; readonly to: number };
  /** What people did, as lines from top to bottom. */
  readonly markers: readonly { readonly at: number; readonly label: string }[];
  readonly words: { readonly window: string; readonly noData: string };
}

export const MOST_SERIES = 4;
const MOST_MARKERS = 12;
const WIDTH = 760;
const HEIGHT = 254;
const LEFT = 64;
const RIGHT = 16;
const TOP = 40;
const BOTTOM = 40;
const LEGEND_ROW = 18;

/** Where numbers stand on the sheet. */
interface Scales {
  readonly from: number;
  readonly to: number;
  readonly ticks: readonly number[];
  x(time: number): number;
  y(value: number): number;
}

/**
 * A chart as one `<svg>` element: axes with round numbers and units, times in UTC, gaps kept. It needs no style to be
 * read; classes let one colour it. Pure, and every text in it is escaped.
 */
export function lineChart(chart: LineChart): string {
  const drawn = chart.series.slice(0, MOST_SERIES);
  const scales = scalesOf(drawn);
  const height = HEIGHT + drawn.length * LEGEND_ROW;
  const parts = scales
    ? [
        shading(chart, scales),
        axes(chart, scales),
        ...drawn.map((each, index) => curve(each, index, scales)),
        markers(chart, scales),
      ]
    : [
        `<text x="${WIDTH / 2}" y="${HEIGHT / 2}" text-anchor="middle" class="label">${escapeHtml(chart.words.noData)}</text>`,
      ];
  const title = escapeHtml(chart.title);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${title}" class="chart" font-size="12" font-family="system-ui, sans-serif">`,
    `<title>${title}</title>`,
    `<text x="0" y="14" class="title" font-weight="600" fill="currentColor">${escapeHtml(cutText(chart.title, 96))}</text>`,
    ...parts,
    ...drawn.map((each, index) => legend(each, index)),
    '</svg>',
  ].join('\n');
}

function scalesOf(series: readonly ChartSeries[]): Scales | undefined {
  let [from, to, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const { times, values } of series) {
    for (const [index, time] of times.entries()) {
      const value = values[index] ?? Number.NaN;
      if (!Number.isFinite(value) || !Number.isFinite(time)) continue;
      [from, to] = [Math.min(from, time), Math.max(to, time)];
      [low, high] = [Math.min(low, value), Math.max(high, value)];
    }
  }
  if (from > to) return undefined;
  if (from === to) [from, to] = [from - 30, to + 30];
  // Zero belongs to the picture: a cut axis makes small things look large.
  [low, high] = [Math.min(0, low), Math.max(0, high)];
  if (low === high) high = 1;
  const ticks = niceTicks(low, high, 5);
  const [bottom, top] = [ticks[0] ?? low, ticks.at(-1) ?? high];
  return {
    from,
    to,
    ticks,
    x: (time) => LEFT + ((time - from) / (to - from)) * (WIDTH - LEFT - RIGHT),
    y: (value) => HEIGHT - BOTTOM - ((value - bottom) / (top - bottom)) * (HEIGHT - TOP - BOTTOM),
  };
}

const at = (value: number): string => String(Math.round(value * 10) / 10);

function shading({ window, words }: LineChart, { from, to, x }: Scales): string {
  if (!window || window.from > to || window.to < from) return '';
  const [start, end] = [x(Math.max(window.from, from)), x(Math.min(window.to, to))];
  const size = `x="${at(start)}" y="${TOP}" width="${at(Math.max(1, end - start))}" height="${HEIGHT - TOP - BOTTOM}"`;
  return `<rect ${size} class="window" fill="#d33" fill-opacity="0.12"><title>${escapeHtml(words.window)}</title></rect>`;
}

function axes({ unit }: LineChart, scales: Scales): string {
  const { ticks, x, y, from, to } = scales;
  const foot = HEIGHT - BOTTOM;
  const rows = ticks.map(
    (tick) =>
      `<path d="M${LEFT} ${at(y(tick))}H${WIDTH - RIGHT}" class="grid" stroke="currentColor" stroke-opacity="0.15"/>` +
      `<text x="${LEFT - 8}" y="${at(y(tick) + 4)}" text-anchor="end" class="label" fill="currentColor">${shownTick(tick, ticks)}</text>`,
  );
  const columns = timeTicks(from, to, 7).map(
    (tick) =>
      `<path d="M${at(x(tick.at))} ${foot}v5" class="axis" stroke="currentColor"/>` +
      `<text x="${at(x(tick.at))}" y="${foot + 18}" text-anchor="middle" class="label" fill="currentColor">${tick.label}</text>`,
  );
  const day = new Date(from * 1000).toISOString().slice(0, 10);
  return [
    ...rows,
    `<path d="M${LEFT} ${TOP}V${foot}H${WIDTH - RIGHT}" class="axis" fill="none" stroke="currentColor"/>`,
    ...columns,
    `<text x="${LEFT}" y="${HEIGHT - 6}" class="label" fill="currentColor">${day}, UTC</text>`,
    `<text x="${LEFT - 8}" y="${TOP - 12}" text-anchor="end" class="label unit" fill="currentColor">${escapeHtml(unit)}</text>`,
  ].join('\n');
}

/** As many decimals as the steps have, so that neighbours differ. */
function shownTick(tick: number, ticks: readonly number[]): string {
  const step = Math.abs((ticks[1] ?? 1) - (ticks[0] ?? 0));
  if (Math.abs(tick) >= 10_000 || (step < 0.001 && tick !== 0))
    return tick.toExponential(1).replace('e+', 'e');
  return tick.toFixed(Math.max(0, Math.min(6, -Math.floor(Math.log10(step) + 1e-9))));
}

const DASHES = ['', '6 3', '2 3', '8 3 2 3'];
const dash = (index: number): string => (DASHES[index] ? ` stroke-dasharray="${DASHES[index]}"` : '');

function curve(series: ChartSeries, index: number, { x, y }: Scales): string {
  const { path, points } = linePath(series, x, y);
  const dots = points.map(
    ([px, py]) => `<circle cx="${at(px)}" cy="${at(py)}" r="2" class="dot s${index}" fill="currentColor"/>`,
  );
  return `<path d="${path}" class="line s${index}" fill="none" stroke="currentColor" stroke-width="1.6"${dash(index)}/>${dots.join('')}`;
}

function legend({ name, values }: ChartSeries, index: number): string {
  const y = HEIGHT + 8 + index * LEGEND_ROW;
  const known = values.filter((value) => Number.isFinite(value));
  const most = known.reduce((one, other) => Math.max(one, other), -Infinity);
  const range = known.length ? ` (max ${showNumber(most)})` : '';
  return (
    `<path d="M${LEFT} ${y - 4}h24" class="line s${index}" stroke="currentColor" stroke-width="2"${dash(index)}/>` +
    `<text x="${LEFT + 32}" y="${y}" class="label" fill="currentColor">${escapeHtml(cutText(name, 80))}${range}</text>`
  );
}

function markers({ markers: all }: LineChart, { from, to, x }: Scales): string {
  const seen = all.filter((marker) => marker.at >= from && marker.at <= to).slice(0, MOST_MARKERS);
  return seen
    .map(({ at: time, label }, index) => {
      const left = x(time);
      const anchor = left > WIDTH * 0.75 ? 'end' : 'start';
      const text = `<text x="${at(left + (anchor === 'end' ? -4 : 4))}" y="${TOP + 10 + (index % 3) * 14}" text-anchor="${anchor}" class="label" fill="currentColor">${escapeHtml(cutText(label, 32))}</text>`;
      return `<g class="marker"><path d="M${at(left)} ${TOP}V${HEIGHT - BOTTOM}" stroke="currentColor" stroke-dasharray="3 3"/>${text}<title>${escapeHtml(label)}</title></g>`;
    })
    .join('\n');
}
