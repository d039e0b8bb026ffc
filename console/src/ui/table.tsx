import type { ReactNode } from 'react';
import { classes } from './classes.ts';

export interface Column<T> {
  readonly key: string;
  readonly title: string;
  readonly number?: boolean;
  /** Left out where there is little room. */
  readonly wide?: boolean;
  readonly cell: (item: T) => ReactNode;
}

/** A table of a few rows. For thousands of them there is `VirtualTable`. */
export function Table<T>(props: {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string;
  readonly current?: (item: T) => boolean;
}) {
  return (
    <table className="table" aria-label={props.label}>
      <thead>
        <tr>
          {props.columns.map(({ key, title, number, wide }) => (
            <th key={key} scope="col" className={classes(number && 'num', wide && 'wide')}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {props.items.map((item) => (
          <tr key={props.keyOf(item)} aria-current={props.current?.(item) || undefined}>
            {props.columns.map(({ key, number, wide, cell }) => (
              <td key={key} className={classes(number && 'num', wide && 'wide')}>
                {cell(item)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
