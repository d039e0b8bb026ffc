import { Tooltip as Base } from '@base-ui/react/tooltip';
import type { ReactElement } from 'react';
import './floating.css';

/**
 * The name of something that shows none, such as a button with a sign, under the pointer and at the focus. The element
 * has to say the name itself (`aria-label`): a tip is not read out, and no finger finds it.
 */
export function Tooltip(props: {
  readonly text: string;
  /** What to press instead. */
  readonly keys?: string;
  readonly children: ReactElement;
}) {
  const { text, keys, children } = props;
  return (
    <Base.Root>
      <Base.Trigger render={children} />
      <Base.Portal>
        <Base.Positioner className="floating" sideOffset={4}>
          <Base.Popup className="floating-box floating-tip">
            {text}
            {keys === undefined ? null : <kbd className="kbd">{keys}</kbd>}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
