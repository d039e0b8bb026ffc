import type { ReactNode } from 'react';
import { safeLink } from '../domains/format/safe-link.ts';

/** A link to somewhere else. An address that is not of the web stays text. */
export function OutLink({ to, children }: { readonly to: string | undefined; readonly children: ReactNode }) {
  const address = safeLink(to);
  if (address === undefined) return <span>{children}</span>;
  return (
    <a href={address} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}
