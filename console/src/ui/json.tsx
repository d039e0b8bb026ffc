import { type ReactNode, useState } from 'react';
import { useText } from '../domains/language/language.tsx';
import { Button } from './button.tsx';
import { uiText } from './text.ts';

/** Parts deeper than this are closed at first. */
const OPEN_DEPTH = 1;
const MOST_ITEMS = 100;

/** Any value, as a tree that can be opened. Everything in it is text. */
export function Json({
  value,
  name,
  depth = 0,
}: {
  readonly value: unknown;
  readonly name?: string;
  readonly depth?: number;
}) {
  const key = name === undefined ? null : <span className="key">{name}: </span>;
  if (typeof value !== 'object' || value === null)
    return (
      <div className={depth === 0 ? 'json' : undefined}>
        {key}
        <span className={typeof value}>{JSON.stringify(value) ?? 'undefined'}</span>
      </div>
    );
  return <Branch value={value} name={key} depth={depth} />;
}

function Branch(props: { readonly value: object; readonly name: ReactNode; readonly depth: number }) {
  const { value, name, depth } = props;
  const text = useText(uiText);
  const [open, setOpen] = useState(depth < OPEN_DEPTH);
  const [most, setMost] = useState(MOST_ITEMS);
  const entries = Object.entries(value);
  const count = Array.isArray(value) ? text.items(entries.length) : text.keys(entries.length);
  return (
    <details
      className={depth === 0 ? 'json' : undefined}
      open={open}
      onToggle={(event) => {
        if (event.target === event.currentTarget) setOpen(event.currentTarget.open);
      }}
    >
      <summary>
        {name}
        <span className="muted">{count}</span>
      </summary>
      {open ? (
        <ul>
          {entries.slice(0, most).map(([key, each]) => (
            <li key={key}>
              <Json value={each} name={key} depth={depth + 1} />
            </li>
          ))}
          {entries.length > most ? (
            <li>
              <Button small look="plain" onClick={() => setMost(most + 1000)}>
                {text.more(entries.length - most)}
              </Button>
            </li>
          ) : null}
        </ul>
      ) : null}
    </details>
  );
}
