import { type ReactNode, useId } from 'react';

export interface Tab<T extends string> {
  readonly value: T;
  readonly label: string;
  readonly render: () => ReactNode;
}

/** Parts of which one is shown. Arrow keys move between them. */
export function Tabs<T extends string>(props: {
  readonly label: string;
  readonly tabs: readonly Tab<T>[];
  readonly value: T;
  readonly onChange: (value: T) => void;
}) {
  const { tabs, value, onChange } = props;
  const id = useId();
  const index = tabs.findIndex((tab) => tab.value === value);
  const go = (by: number) => {
    const next = tabs[(index + by + tabs.length) % tabs.length];
    if (!next) return;
    onChange(next.value);
    document.getElementById(`${id}-${next.value}`)?.focus();
  };
  return (
    <div className="stack">
      <div
        className="tabs"
        role="tablist"
        aria-label={props.label}
        onKeyDown={(event) => {
          if (event.key === 'ArrowRight') go(1);
          if (event.key === 'ArrowLeft') go(-1);
        }}
      >
        {tabs.map((tab) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}-${tab.value}`}
            aria-selected={tab.value === value}
            aria-controls={`${id}-panel`}
            tabIndex={tab.value === value ? 0 : -1}
            onClick={() => onChange(tab.value)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`}>
        {tabs[index]?.render()}
      </div>
    </div>
  );
}
