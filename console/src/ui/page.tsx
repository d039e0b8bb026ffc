import { type ReactNode, useEffect, useId } from 'react';

/** The frame of a page: its title is that of the window too. */
export function Page(props: {
  readonly title: string;
  /** Beside the title: badges. */
  readonly mark?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  useEffect(() => {
    document.title = `${props.title} · Hermes`;
  }, [props.title]);
  return (
    <div className="page">
      <div className="page-head">
        <div className="row">
          <h1>{props.title}</h1>
          {props.mark}
        </div>
        {props.actions === undefined ? null : <div className="row">{props.actions}</div>}
      </div>
      {props.children}
    </div>
  );
}

/** A part of a page with a heading of its own. `flush`: what is inside reaches the edges, as tables do. */
export function Section(props: {
  readonly title: string;
  readonly count?: number | string | undefined;
  readonly actions?: ReactNode;
  readonly flush?: boolean;
  readonly children: ReactNode;
}) {
  const heading = useId();
  return (
    <section className="section" aria-labelledby={heading}>
      <header>
        <h2 id={heading}>
          {props.title}
          {props.count === undefined ? null : <span className="count">{props.count}</span>}
        </h2>
        {props.actions}
      </header>
      {props.flush ? (
        // On a narrow screen it scrolls sideways: whoever has only a keyboard must get there, too.
        <div className="section-body flush" role="group" aria-labelledby={heading} tabIndex={0}>
          {props.children}
        </div>
      ) : (
        <div className="section-body">{props.children}</div>
      )}
    </section>
  );
}

/** Names and what they stand for, line by line. */
export function Facts({ items }: { readonly items: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="facts">
      {items.map(([name, value]) => (
        <div key={name} style={{ display: 'contents' }}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
