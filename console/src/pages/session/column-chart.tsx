import { axisTicks } from '../../domains/sessions/axis-ticks.ts';
import { classes } from '../../ui/classes.ts';
import './column-chart.css';

interface ChartColumn {
  readonly key: string;
  /** A line parts the columns of one turn from those of the next. */
  readonly turn: number;
  readonly title: string;
  readonly parts: readonly { readonly name: string; readonly value: number }[];
}

interface ColumnChartProps {
  /** The whole chart in words. */
  readonly label: string;
  readonly columns: readonly ChartColumn[];
  /** What no column can exceed: a line, where it is near enough to be on the chart. */
  readonly ceiling?: number;
  readonly ceilingLabel?: string;
  readonly show: (value: number) => string;
  readonly axis: string;
  readonly legend: readonly { readonly name: string; readonly label: string }[];
}

const MOST_TICKS = 5;
/** A ceiling this many times as high as the highest column would press all of them to the ground. */
const NEAR = 3;

/** Stacked columns by their place, with an axis of values. */
export function ColumnChart(props: ColumnChartProps) {
  const { columns, ceiling, show } = props;
  const highest = Math.max(0, ...columns.map(heightOf));
  const near = ceiling !== undefined && ceiling <= highest * NEAR;
  const ticks = axisTicks(near ? Math.max(ceiling, highest) : highest, MOST_TICKS);
  const top = ticks.at(-1) || 1;
  return (
    <figure className="columns-chart">
      <div className="columns-plot" role="img" aria-label={props.label}>
        {ticks.map((tick) => (
          <div key={tick} className="columns-tick" style={{ bottom: `${(tick / top) * 100}%` }}>
            <span>{show(tick)}</span>
          </div>
        ))}
        {near ? (
          <div className="columns-ceiling" style={{ bottom: `${(ceiling / top) * 100}%` }}>
            <span>{props.ceilingLabel}</span>
          </div>
        ) : null}
        <div className="columns">
          {columns.map((column, index) => (
            <div
              key={column.key}
              className={classes(
                'column',
                index > 0 && columns[index - 1]?.turn !== column.turn && 'next-turn',
              )}
              title={column.title}
            >
              {column.parts.map(({ name, value }) => (
                <i key={name} className={`tokens-${name}`} style={{ height: `${(value / top) * 100}%` }} />
              ))}
            </div>
          ))}
        </div>
      </div>
      <figcaption>
        <ul className="legend">
          {props.legend.map(({ name, label }) => (
            <li key={name}>
              <i className={`tokens-${name}`} aria-hidden="true" />
              {label}
            </li>
          ))}
        </ul>
        <span className="muted">{props.axis}</span>
      </figcaption>
    </figure>
  );
}

const heightOf = ({ parts }: ChartColumn): number => parts.reduce((sum, { value }) => sum + value, 0);
