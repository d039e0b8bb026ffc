import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { NavigationType, useNavigationType } from 'react-router';
import { useCommands } from '../domains/keys/commands.tsx';
import { useText } from '../domains/language/language.tsx';
import { findPlace, movePlace, type Place } from './keep-place.ts';
import { listText } from './list-text.ts';

export interface GridColumn<T> {
  readonly key: string;
  readonly title: string;
  /** As in `grid-template-columns`. */
  readonly width: string;
  readonly number?: boolean;
  readonly cell: (item: T) => ReactNode;
}

interface VirtualTableProps<T> {
  readonly label: string;
  readonly columns: readonly GridColumn<T>[];
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string;
  readonly rowHeight: number;
  /** How high the part that scrolls may be, as CSS has it. */
  readonly height: string;
  readonly onOpen: (item: T) => void;
  /** Called when the end comes near. */
  readonly onEnd?: () => void;
}

const NEAR_END = 20;

/** By label: what was opened last, for whoever comes back. */
const opened = new Map<string, Place>();

/** A list that stays fast however long it is: j and k move, Enter opens, and only what is seen is drawn. */
export function VirtualTable<T>(props: VirtualTableProps<T>) {
  const { label, columns, items, keyOf, rowHeight, onEnd } = props;
  const scroll = useRef<HTMLDivElement>(null);
  const id = useId();
  const cameBack = useNavigationType() === NavigationType.Pop;
  const [place, setPlace] = useState(() => (cameBack ? opened.get(label) : undefined));
  const selected = findPlace(items, keyOf, place);
  const text = useText(listText);
  // The compiler cannot memoise what this gives, and need not.
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  const shown = rows.getVirtualItems();
  const lastShown = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (items.length && lastShown >= items.length - NEAR_END) onEnd?.();
  }, [lastShown, items.length, onEnd]);
  const [first] = useState(selected);
  useEffect(() => {
    if (first >= 0) rows.scrollToIndex(first, { align: 'center' });
  }, [first, rows]);
  const keep = (item: T, index: number) => {
    const here = { key: keyOf(item), index };
    setPlace(here);
    opened.set(label, here);
  };
  const move = (by: number) => {
    const next = movePlace(selected, place, by, items.length);
    const item = items[next];
    if (item === undefined) return;
    setPlace({ key: keyOf(item), index: next });
    rows.scrollToIndex(next, { align: 'auto' });
  };
  const openSelected = () => {
    const item = items[selected];
    if (item === undefined) return;
    keep(item, selected);
    props.onOpen(item);
  };
  useCommands([
    { id: `${id}j`, label: text.next, group: text.lists, keys: 'j', hidden: true, run: () => move(1) },
    { id: `${id}k`, label: text.previous, group: text.lists, keys: 'k', hidden: true, run: () => move(-1) },
    { id: `${id}o`, label: text.open, group: text.lists, keys: 'Enter', hidden: true, run: openSelected },
  ]);
  const template = { gridTemplateColumns: columns.map(({ width }) => width).join(' ') };
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: 1,
    ArrowUp: -1,
    PageDown: 20,
    PageUp: -20,
    Home: -items.length,
    End: items.length,
  };
  return (
    <div
      ref={scroll}
      className="grid-scroll"
      style={{ maxHeight: props.height }}
      role="grid"
      aria-label={label}
      aria-rowcount={items.length + 1}
      aria-activedescendant={selected >= 0 ? `${id}-${selected}` : undefined}
      tabIndex={0}
      onKeyDown={(event) => {
        const step = steps[event.key];
        if (step === undefined) return;
        event.preventDefault();
        move(step);
      }}
    >
      <div className="grid-head" role="row" aria-rowindex={1} style={template}>
        {columns.map(({ key, title, number }) => (
          <div key={key} role="columnheader" className={number ? 'num' : undefined}>
            {title}
          </div>
        ))}
      </div>
      <div className="grid-body" role="rowgroup" style={{ height: rows.getTotalSize() }}>
        {shown.map(({ index, start, size }) => {
          const item = items[index];
          if (item === undefined) return null;
          return (
            <div
              key={keyOf(item)}
              id={`${id}-${index}`}
              role="row"
              aria-rowindex={index + 2}
              aria-selected={index === selected}
              className="grid-row"
              style={{ ...template, height: size, transform: `translateY(${start}px)` }}
              onClick={(event) => {
                keep(item, index);
                // A link in the row opens by itself, in another tab where somebody asks for that.
                if (event.target instanceof Element && event.target.closest('a, button')) return;
                props.onOpen(item);
              }}
            >
              {columns.map(({ key, number, cell }) => (
                <div key={key} role="gridcell" className={number ? 'num' : undefined}>
                  {cell(item)}
                </div>
              ))}
            </div>
          );
        })}
      </div>
    </div>
  );
}
