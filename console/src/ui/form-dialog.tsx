import type { ReactNode } from 'react';
import { useText } from '../domains/language/language.tsx';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Refused } from './states.tsx';
import { uiText } from './text.ts';

/** A dialog that sends what was filled in: by its button or by Enter, once at a time, and with what was refused below. */
export function FormDialog(props: {
  readonly title: string;
  /** What its button says. */
  readonly verb: string;
  readonly look?: 'primary' | 'danger';
  readonly ready: boolean;
  readonly sending: {
    readonly isPending: boolean;
    readonly error: Error | null;
    readonly mutate: () => void;
  };
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const { title, verb, look = 'primary', ready, sending, onClose, children } = props;
  const text = useText(uiText);
  const submit = () => {
    if (ready && !sending.isPending) sending.mutate();
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{text.cancel}</Button>
          <Button look={look} busy={sending.isPending} disabled={!ready} onClick={submit}>
            {verb}
          </Button>
        </>
      }
    >
      <form
        className="stack-16"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        {children}
        <button type="submit" hidden />
        <Refused error={sending.error} />
      </form>
    </Dialog>
  );
}
