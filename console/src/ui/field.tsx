import { type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes, useId } from 'react';

interface Labelled {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
}

/** A label above what it names. `${id}-label` is the label itself. */
export function Frame(props: Labelled & { readonly id: string; readonly children: ReactNode }) {
  const { id, label, hint, error, children } = props;
  return (
    <div className="field">
      <label htmlFor={id} id={`${id}-label`}>
        {label}
      </label>
      {children}
      {hint === undefined ? null : (
        <span className="field-hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {error === undefined ? null : (
        <span className="field-error" id={`${id}-error`} role="alert">
          {error}
        </span>
      )}
    </div>
  );
}

const described = (id: string, { hint, error }: Labelled): string | undefined =>
  [hint === undefined ? '' : `${id}-hint`, error === undefined ? '' : `${id}-error`]
    .filter(Boolean)
    .join(' ') || undefined;

export function TextField(props: Labelled & InputHTMLAttributes<HTMLInputElement>) {
  const { label, hint, error, ...rest } = props;
  const id = useId();
  return (
    <Frame id={id} label={label} hint={hint} error={error}>
      <input
        className="input"
        {...rest}
        id={id}
        aria-describedby={described(id, props)}
        aria-invalid={error === undefined ? undefined : true}
      />
    </Frame>
  );
}

export function SelectField(
  props: Labelled &
    SelectHTMLAttributes<HTMLSelectElement> & {
      readonly options: readonly { readonly value: string; readonly label: string }[];
    },
) {
  const { label, hint, error, options, ...rest } = props;
  const id = useId();
  return (
    <Frame id={id} label={label} hint={hint} error={error}>
      <select className="input" {...rest} id={id} aria-describedby={described(id, props)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </Frame>
  );
}

/** A few values side by side, one of them chosen. */
export function Choice<T extends string>(props: {
  readonly label: string;
  readonly options: readonly { readonly value: T; readonly label: string }[];
  readonly value: T;
  readonly onChange: (value: T) => void;
}) {
  return (
    <div className="choice" role="group" aria-label={props.label}>
      {props.options.map(({ value, label }) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === props.value}
          onClick={() => props.onChange(value)}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
