import { Popover as Base } from '@base-ui/react/popover';
import type { ReactNode } from 'react';
import './floating.css';

/** Words, or a button, with more behind them: it opens over the page, takes the focus and gives it back. */
export function Popover(props: {
  readonly trigger: ReactNode;
  /** What the box is about, for those who do not see it. */
  readonly label: string;
  /** Of the trigger: words that are explained, unless it is said. */
  readonly className?: string;
  /** What a label of the trigger is tied to. */
  readonly id?: string;
  readonly labelledBy?: string;
  readonly children: ReactNode;
}) {
  const { trigger, label, className = 'explained', id, labelledBy, children } = props;
  return (
    <Base.Root>
      <Base.Trigger id={id} className={className} aria-labelledby={labelledBy}>
        {trigger}
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner className="floating" sideOffset={4} align="start" collisionPadding={8}>
          <Base.Popup className="floating-box floating-note" aria-label={label}>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
