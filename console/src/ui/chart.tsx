import { lazy, Suspense, useMemo, useState } from 'react';
import { useFormats, useText } from '../domains/language/language.tsx';
import { type ChartSeries, seriesCsv } from './align-series.ts';
import { Copy } from './copy.tsx';
import { uiText } from './text.ts';

const ChartCanvas = lazy(() => import('./chart-canvas.tsx'));

/** A span of time that is shaded. Unix seconds. */
export interface ChartWindow {
  readonly start: number;
  readonly end: number;
}

/** A moment at which something was done: a deploy. Unix seconds. */
export interface ChartMarker {
  readonly time: number;
  readonly label: string;
}

export interface ChartProps {
  readonly title: string;
  readonly series: readonly ChartSeries[];
  readonly unit: string;
  readonly height?: number;
  readonly windows?: readonly ChartWindow[];
  readonly markers?: readonly ChartMarker[];
  /** What the axis spans at least. */
  readonly range?: { readonly start: number; readonly end: number };
  /** Charts with the same key show the same moment under the pointer. */
  readonly sync?: string;
  /** Without legend and buttons, for a small place: what is under the pointer stands beside the title. */
  readonly plain?: boolean;
}

/** What is under the pointer. */
export interface ChartHover {
  /** Unix seconds. */
  readonly time: number;
  /** One for each series that is shown. */
  readonly values: readonly (number | null | undefined)[];
}

const COLORS = ['series-1', 'series-2', 'series-3', 'series-4', 'series-5', 'series-6'];

/** Time series with axes and units. Drag zooms, a double click resets; the numbers can be copied. */
export function Chart(props: ChartProps) {
  const { title, unit, height = 160, plain = false } = props;
  const text = useText(uiText);
  const formats = useFormats();
  const [off, setOff] = useState<ReadonlySet<string>>(new Set());
  const [hover, setHover] = useState<ChartHover>();
  const series = useMemo(
    () =>
      props.series.map((each, index) => ({
        ...each,
        color: each.color ?? COLORS[index % COLORS.length] ?? 'series-1',
      })),
    [props.series],
  );
  const shown = useMemo(() => series.filter(({ label }) => !off.has(label)), [series, off]);
  if (!series.some(({ times }) => times.length))
    return (
      <figure className="chart">
        <figcaption>{title}</figcaption>
        <p className="muted">{text.noData}</p>
      </figure>
    );
  const toggle = (label: string) =>
    setOff((before) =>
      before.has(label) ? new Set([...before].filter((each) => each !== label)) : new Set([...before, label]),
    );
  return (
    <figure className="chart">
      <figcaption>
        <strong className="wrap">{title}</strong>
        {hover ? (
          <span className="chart-hover">
            {formats.time(hover.time * 1000)}
            {plain ? series.map(({ label, values }) => ` · ${valueOf(label, values)}`) : null}
          </span>
        ) : null}
        {plain ? null : <Copy text={() => seriesCsv(series)} label={text.copyCsv} file="series.csv" />}
      </figcaption>
      <div
        className="chart-canvas"
        role="img"
        aria-label={series.map((each) => told(each)).join('; ')}
        title={text.zoomHint}
        style={{ minHeight: height }}
      >
        <Suspense fallback={null}>
          <ChartCanvas {...props} series={shown} height={height} onHover={setHover} />
        </Suspense>
      </div>
      {plain ? null : (
        <div className="chart-legend">
          {series.map(({ label, color, values }) => (
            <button key={label} type="button" aria-pressed={!off.has(label)} onClick={() => toggle(label)}>
              <i style={{ background: `var(--${color})` }} aria-hidden="true" />
              <span>{label}</span>
              <span className="value">{valueOf(label, values)}</span>
            </button>
          ))}
        </div>
      )}
    </figure>
  );

  function valueOf(label: string, values: ChartSeries['values']): string {
    const index = shown.findIndex((each) => each.label === label);
    const value = hover && index >= 0 ? hover.values[index] : values.findLast((each) => each !== null);
    return value === null || value === undefined ? '–' : formats.quantity(value, unit);
  }

  function told({ label, values }: ChartSeries): string {
    const known = values.filter((value) => value !== null);
    if (!known.length) return `${label}: ${text.noData}`;
    const least = formats.quantity(Math.min(...known), unit);
    const most = formats.quantity(Math.max(...known), unit);
    return text.chart(label, least, most, formats.quantity(known.at(-1) ?? 0, unit));
  }
}
