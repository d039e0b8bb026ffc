import type { ReactNode } from 'react';
import { Section } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { NumberLink } from './number-link.tsx';

export interface CountedItem {
  readonly key: string;
  readonly of: string;
  readonly name: ReactNode;
  readonly label: string;
  readonly count: number;
  /** Parts of the bar that mean a state; the rest is neutral. */
  readonly good?: number;
  readonly bad?: number;
  readonly note?: string;
}

/** What there was how often, the most first, with bars to compare. */
export function Counted(props: {
  readonly title: string;
  readonly items: readonly CountedItem[];
  readonly empty: string;
  readonly show: (name: string, count: string) => string;
}) {
  const most = Math.max(1, ...props.items.map(({ count }) => count));
  const width = (part: number) => ({ width: `${(part / most) * 100}%` });
  return (
    <Section title={props.title} count={props.items.length}>
      {props.items.length === 0 ? <Empty title={props.empty} /> : null}
      <ul className="digest-counted">
        {props.items.map(({ key, of, name, label, count, good = 0, bad = 0, note }) => (
          <li key={key}>
            <span className="ellipsis" title={label}>
              {name}
            </span>
            <span className="digest-track" title={note}>
              <i className="ok" style={width(good)} />
              <i className="bad" style={width(bad)} />
              <i style={width(count - good - bad)} />
            </span>
            <NumberLink of={of} count={count} className="num" label={props.show(label, String(count))} />
            {note === undefined ? null : <span className="digest-note muted">{note}</span>}
          </li>
        ))}
      </ul>
    </Section>
  );
}
