import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useText } from '../domains/language/language.tsx';
import { Button } from './button.tsx';
import { uiText } from './text.ts';

/** A dialog of the browser: it keeps the focus, Escape closes it, and the focus goes back where it was. */
export function Dialog(props: {
  readonly title: string;
  readonly onClose: () => void;
  readonly footer?: ReactNode;
  readonly children: ReactNode;
}) {
  const { title, onClose, footer, children } = props;
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  const text = useText(uiText);
  useEffect(() => {
    const dialog = ref.current;
    if (dialog && !dialog.open) dialog.showModal();
    // Whoever opens a form wants to type, not to close it.
    dialog?.querySelector<HTMLElement>('.dialog-body :is(input, select, textarea)')?.focus();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={ref}
      className="dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === ref.current) onClose();
      }}
    >
      <div className="dialog-frame">
        <header>
          <h2 id={id}>{title}</h2>
          <Button look="plain" small onClick={onClose} aria-label={text.close}>
            ✕
          </Button>
        </header>
        <div className="dialog-body">{children}</div>
        {footer === undefined ? null : <footer>{footer}</footer>}
      </div>
    </dialog>
  );
}
