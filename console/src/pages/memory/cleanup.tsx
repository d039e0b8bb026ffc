import { useState } from 'react';
import { useText } from '../../domains/language/language.tsx';
import { memoryApi } from '../../domains/memory/memory-api.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Refused } from '../../ui/states.tsx';
import { memoryText } from './text.ts';
import { useMemoryChange } from './use-memory-change.ts';

/** Forgets what nobody uses. What it did is said before the dialog is left. */
export function Cleanup({ days: usual, onClose }: { readonly days: number; readonly onClose: () => void }) {
  const text = useText(memoryText);
  const [days, setDays] = useState(String(usual));
  const clean = useMemoryChange((count: number) => memoryApi.cleanup(count));
  const count = Number(days);
  const valid = Number.isInteger(count) && count >= 1 && count <= 3650;
  const done = clean.data;
  return (
    <Dialog
      title={text.cleanupTitle}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{done ? text.close : text.cancel}</Button>
          {done ? null : (
            <Button
              look="danger"
              busy={clean.isPending}
              disabled={!valid}
              onClick={() => clean.mutate(count)}
            >
              {text.cleanup}
            </Button>
          )}
        </>
      }
    >
      <div className="stack-16">
        <p>{text.cleanupWhat}</p>
        <TextField
          label={text.days}
          inputMode="numeric"
          value={days}
          onChange={(event) => setDays(event.target.value)}
        />
        {done ? (
          <div className="notice ok" role="status">
            {text.cleaned(done.forgotten, done.erased, done.kept)}
          </div>
        ) : null}
        <Refused error={clean.error} />
      </div>
    </Dialog>
  );
}
