import { Combobox } from '@base-ui/react/combobox';
import { useId, useState } from 'react';
import { useText } from '../domains/language/language.tsx';
import { Frame } from './field.tsx';
import { uiText } from './text.ts';
import './floating.css';

/** One of many names, found by typing a part of it. What is typed may be chosen too, where it is none of them. */
export function ComboboxField(props: {
  readonly label: string;
  readonly placeholder: string;
  readonly options: readonly string[];
  /** Empty where nothing is chosen. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const { label, placeholder, options, value, onChange } = props;
  const text = useText(uiText);
  const id = useId();
  const [typed, setTyped] = useState(value);
  const items = [...new Set([...options, value, typed.trim()])].filter(Boolean);
  return (
    <Frame id={id} label={label}>
      <Combobox.Root
        items={items}
        value={value || null}
        onValueChange={(next) => onChange(next ?? '')}
        onInputValueChange={setTyped}
        autoHighlight
      >
        <Combobox.InputGroup className="combobox">
          <Combobox.Input id={id} className="input" placeholder={placeholder} />
          <div className="combobox-buttons">
            <Combobox.Clear aria-label={text.clear}>✕</Combobox.Clear>
            <Combobox.Trigger aria-label={text.choices(label)}>▾</Combobox.Trigger>
          </div>
        </Combobox.InputGroup>
        <Combobox.Portal>
          <Combobox.Positioner className="floating" sideOffset={4}>
            <Combobox.Popup className="floating-box">
              <Combobox.Empty className="floating-empty">{text.noChoice}</Combobox.Empty>
              <Combobox.List className="floating-list">
                {(item: string) => (
                  <Combobox.Item key={item} value={item} className="floating-item">
                    <span className="wrap">{item}</span>
                    <Combobox.ItemIndicator>✓</Combobox.ItemIndicator>
                  </Combobox.Item>
                )}
              </Combobox.List>
            </Combobox.Popup>
          </Combobox.Positioner>
        </Combobox.Portal>
      </Combobox.Root>
    </Frame>
  );
}
