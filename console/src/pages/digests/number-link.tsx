import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';

/** A number that leads to the incidents behind it. `of` is its name in the address; without any it is only shown. */
export function NumberLink(props: {
  readonly of: string;
  readonly count: number;
  readonly className?: string;
  readonly label?: string;
  readonly children?: ReactNode;
}) {
  const { of, count, className, label, children = count } = props;
  const [params] = useSearchParams();
  if (count === 0) return <span className={className}>{children}</span>;
  const next = new URLSearchParams(params);
  next.set('of', of);
  return (
    <Link
      to={`?${next.toString()}`}
      className={className}
      aria-label={label}
      title={label}
      preventScrollReset
    >
      {children}
    </Link>
  );
}
