import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Problem } from '../domains/api/problem.ts';
import { useText } from '../domains/language/language.tsx';
import { Button } from './button.tsx';
import { uiText } from './text.ts';

export function Loading() {
  const text = useText(uiText);
  return (
    <div className="skeleton" role="status" aria-label={text.loading}>
      <span />
      <span />
      <span />
    </div>
  );
}

/** Nothing is there, and why that is, and what could be done. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="state">
      <strong>{title}</strong>
      {children === undefined ? null : <div>{children}</div>}
    </div>
  );
}

/** What went wrong, in the words of the server. */
export function ErrorNote({ error, again }: { readonly error: unknown; readonly again?: () => void }) {
  const text = useText(uiText);
  const problem = error instanceof Problem ? error : undefined;
  const message =
    problem?.status === 0 ? text.offline : error instanceof Error ? error.message : String(error);
  return (
    <div className="state" role="alert">
      <strong>{text.failed}</strong>
      <div className="wrap">{message}</div>
      {problem?.hint === undefined ? null : <div className="wrap">{problem.hint}</div>}
      {again === undefined ? null : (
        <Button small onClick={again}>
          {text.again}
        </Button>
      )}
    </div>
  );
}

/** What a query gave. Data that is there stays, also when the server is away. */
export function Loaded<T>(props: {
  readonly query: UseQueryResult<T>;
  readonly children: (data: T) => ReactNode;
}) {
  const { data, error, refetch } = props.query;
  if (data !== undefined) return props.children(data);
  return error ? <ErrorNote error={error} again={() => void refetch()} /> : <Loading />;
}

/** What went wrong with something that somebody did. */
export function Refused({ error }: { readonly error: Error | null }) {
  const text = useText(uiText);
  if (!error) return null;
  const { status, hint } = error instanceof Problem ? error : {};
  return (
    <div className="notice bad" role="alert">
      {status === 0 ? text.noAnswer : error.message}
      {hint === undefined ? null : <div className="muted">{hint}</div>}
    </div>
  );
}
