import type { ReactNode } from 'react';
import { classes, type Tone } from './classes.ts';

export function Badge(props: {
  readonly tone?: Tone;
  readonly strong?: boolean;
  readonly title?: string | undefined;
  readonly children: ReactNode;
}) {
  const { tone = 'quiet', strong = false, title, children } = props;
  return (
    <span className={classes('badge', tone, strong && 'strong')} title={title}>
      {children}
    </span>
  );
}

/** A state at a glance. What it means always stands beside it, or in `label`: a colour alone tells nothing to some. */
export function Dot({ tone, label }: { readonly tone: Tone; readonly label?: string }) {
  return label === undefined ? (
    <span className={classes('dot', tone)} aria-hidden="true" />
  ) : (
    <span className={classes('dot', tone)} role="img" aria-label={label} title={label} />
  );
}
