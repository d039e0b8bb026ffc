import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Formats } from '../domains/format/formats.ts';
import { useFormats } from '../domains/language/language.tsx';
import { useTheme } from '../domains/theme/theme.tsx';
import { alignSeries, type ChartSeries } from './align-series.ts';
import type { ChartHover, ChartProps } from './chart.tsx';
import { drawMarkers, drawWindows } from './chart-marks.ts';

interface CanvasProps extends ChartProps {
  readonly height: number;
  readonly onHover: (hover: ChartHover | undefined) => void;
}

/** The part of a chart that needs the library. */
export default function ChartCanvas(props: CanvasProps) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const latest = useRef(props);
  const formats = useFormats();
  const { shown: theme } = useTheme();
  useEffect(() => {
    latest.current = props;
  });
  const shape = JSON.stringify([
    props.series.map(({ label, color }) => [label, color]),
    props.unit,
    props.height,
    props.sync,
    props.plain,
  ]);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const made = new uPlot(
      optionsOf(() => latest.current, formats, element),
      dataOf(latest.current.series),
      element,
    );
    plot.current = made;
    const resized = new ResizeObserver(([entry]) => {
      const width = Math.floor(entry?.contentRect.width ?? 0);
      if (width > 0 && width !== made.width) made.setSize({ width, height: latest.current.height });
    });
    resized.observe(element);
    return () => {
      resized.disconnect();
      made.destroy();
      plot.current = undefined;
    };
  }, [shape, theme, formats]);
  useEffect(() => {
    const made = plot.current;
    if (!made) return;
    // Whoever has zoomed in keeps looking at the same time.
    const { min, max } = made.scales['x'] ?? {};
    const zoomed = zoomedPlots.has(made);
    made.setData(dataOf(props.series), true);
    if (zoomed && min !== undefined && max !== undefined) made.setScale('x', { min, max });
  }, [props.series, props.range?.start, props.range?.end, props.windows, props.markers]);
  return <div ref={place} aria-hidden="true" />;
}

const dataOf = (series: readonly ChartSeries[]): uPlot.AlignedData =>
  alignSeries(series) as unknown as uPlot.AlignedData;

/** How much of a chart is left empty before the first measurement. */
const AIR = 0.03;
const LONE_S = 60;

/** Plots that somebody has zoomed into. */
const zoomedPlots = new WeakSet<uPlot>();

/** Charts that share a pointer are zoomed together, and go back together. */
function unzoom(plot: uPlot, sync: string | undefined): void {
  for (const each of sync === undefined ? [plot] : uPlot.sync(sync).plots) zoomedPlots.delete(each);
}

function optionsOf(props: () => CanvasProps, formats: Formats, element: HTMLElement): uPlot.Options {
  const { series, unit, height, sync, plain = false } = props();
  const token = (name: string) => getComputedStyle(element).getPropertyValue(`--${name}`).trim();
  const font = `11px ${token('sans')}`;
  const axis: uPlot.Axis = {
    stroke: token('muted'),
    font,
    grid: { stroke: token('line'), width: 1 },
    ticks: { stroke: token('line'), width: 1, size: 4 },
  };
  return {
    width: Math.max(120, element.clientWidth),
    height,
    legend: { show: false },
    padding: [plain ? 6 : 14, 26, 0, 0],
    cursor: {
      y: false,
      points: { size: 6 },
      drag: { x: true, y: false },
      ...(sync === undefined ? {} : { sync: { key: sync } }),
    },
    scales: {
      x: { time: true, range: (plot, min, max) => xRange(plot, props().range, min, max) },
      y: { range: (_plot, min, max) => yRange(min, max) },
    },
    axes: [
      {
        ...axis,
        size: 24,
        space: 70,
        values: (_plot, splits, _index, _space, step) => splits.map((at) => formats.axisTime(at, step)),
      },
      {
        ...axis,
        size: 62,
        space: 28,
        values: (_plot, splits) => splits.map((value) => formats.quantity(value, unit)),
      },
    ],
    series: [
      {},
      ...series.map(
        ({ label, color }): uPlot.Series => ({
          label,
          stroke: token(color ?? 'series-1'),
          width: 1.5,
          points: { show: (_plot, _index, from, to) => to - from < 3 },
        }),
      ),
    ],
    hooks: {
      drawClear: [(plot) => drawWindows(plot, props().windows ?? [], token)],
      draw: [(plot) => drawMarkers(plot, props().markers ?? [], token, font, !plain)],
      setSelect: [(plot) => void (plot.select.width > 0 && zoomedPlots.add(plot))],
      // Before the plot itself hears of it, which then asks for the range.
      ready: [(plot) => plot.over.addEventListener('dblclick', () => unzoom(plot, sync), { capture: true })],
      setCursor: [
        (plot) => {
          const { idx } = plot.cursor;
          const time = idx === null || idx === undefined ? undefined : plot.data[0][idx];
          props().onHover(
            time === undefined
              ? undefined
              : { time, values: plot.data.slice(1).map((column) => nearest(column, idx ?? 0)) },
          );
        },
      ],
    },
  };
}

/** A line has no sample at every time of the common axis: the one before stands for it. */
function nearest(column: uPlot.AlignedData[number], index: number): number | null | undefined {
  for (let at = index; at >= 0 && at > index - 12; at--) if (column[at] !== undefined) return column[at];
  return undefined;
}

/** The whole window; where the measurements begin later than it, from there on. */
function xRange(plot: uPlot, range: CanvasProps['range'], min: number, max: number): [number, number] {
  // A single sample stands in the middle.
  if (min === max) return [min - LONE_S, max + LONE_S];
  if (!range || zoomedPlots.has(plot)) return [min, max];
  const end = Math.max(range.end, max ?? range.end);
  const first = min ?? range.start;
  return [first > range.start ? Math.max(range.start, first - (end - first) * AIR) : first, end];
}

/** From zero on, with some air above: a small wobble must not look like a mountain. */
function yRange(min: number | null, max: number | null): [number, number] {
  if (min === null || max === null) return [0, 1];
  return [Math.min(0, min), max > 0 ? max * 1.08 : 1];
}
