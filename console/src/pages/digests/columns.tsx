import { classes } from '../../ui/classes.ts';
import { NumberLink } from './number-link.tsx';

interface ColumnPart {
  readonly name: string;
  readonly value: number | undefined;
  /** Which of the neutral series colours it has. */
  readonly series: 1 | 2;
  /** The incidents behind it. */
  readonly of?: string;
}

export interface TimeColumn {
  readonly key: number;
  readonly label: string;
  readonly parts: readonly ColumnPart[];
}

/** Values side by side over time, with an axis that begins at zero. Every column leads to what is behind it. */
export function Columns(props: {
  readonly title: string;
  readonly columns: readonly TimeColumn[];
  readonly show: (value: number) => string;
  /** Where the axis ends, by the highest value. */
  readonly top: (most: number) => number;
  /** So many labels have room. */
  readonly labels: number;
  readonly told: (time: string, name: string, value: string) => string;
}) {
  const { title, columns, show, told, top, labels } = props;
  const values = columns.flatMap(({ parts }) => parts.map(({ value }) => value ?? 0));
  const most = top(Math.max(0, ...values));
  const every = Math.ceil(columns.length / labels);
  const names = columns[0]?.parts ?? [];
  return (
    <figure className="digest-chart">
      <figcaption>
        <strong>{title}</strong>
        {names.length > 1 ? (
          <span className="row">
            {names.map(({ name, series }) => (
              <span key={name} className="row tight">
                <i className={`digest-key series-${series}`} aria-hidden="true" />
                {name}
              </span>
            ))}
          </span>
        ) : null}
      </figcaption>
      <div className="digest-plot">
        <div className="digest-axis" aria-hidden="true">
          <span>{show(most)}</span>
          <span>{show(most / 2)}</span>
          <span>0</span>
        </div>
        <ol className="digest-columns">
          {columns.map(({ key, label, parts }, index) => (
            <li key={key}>
              <div className="digest-column">
                {parts.map((part) => (
                  <Bar
                    key={part.name}
                    part={part}
                    most={most}
                    told={told(label, part.name, part.value === undefined ? '–' : show(part.value))}
                  />
                ))}
              </div>
              <span className="digest-tick" aria-hidden="true">
                {index % every === 0 ? label : ''}
              </span>
            </li>
          ))}
        </ol>
      </div>
    </figure>
  );
}

function Bar(props: { readonly part: ColumnPart; readonly most: number; readonly told: string }) {
  const { part, most, told } = props;
  const value = part.value ?? 0;
  const bar = (
    <span
      className={classes('digest-bar', `series-${part.series}`)}
      style={{ height: `${(value / most) * 100}%` }}
    />
  );
  if (part.of === undefined || value === 0)
    return (
      <span className="digest-slot" title={told}>
        {bar}
        <span className="unseen">{told}</span>
      </span>
    );
  return (
    <NumberLink of={part.of} count={value} className="digest-slot" label={told}>
      {bar}
    </NumberLink>
  );
}
