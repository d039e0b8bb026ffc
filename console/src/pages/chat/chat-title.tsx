import { useState } from 'react';
import { useText } from '../../domains/language/language.tsx';
import { Button } from '../../ui/button.tsx';
import { chatText } from './text.ts';

/** The title, and the way to another one. */
export function ChatTitle(props: {
  readonly title: string;
  readonly rename: ((title: string) => Promise<void>) | undefined;
}) {
  const { title, rename } = props;
  const text = useText(chatText);
  const [draft, setDraft] = useState<string>();
  if (draft === undefined)
    return (
      <div className="chat-title">
        <h1 className="ellipsis" title={title}>
          {title}
        </h1>
        {rename ? (
          <Button small look="plain" onClick={() => setDraft(title)}>
            {text.rename}
          </Button>
        ) : null}
      </div>
    );
  return (
    <form
      className="chat-title"
      onSubmit={(event) => {
        event.preventDefault();
        setDraft(undefined);
        // What went wrong is shown beside the field for messages.
        if (draft.trim()) rename?.(draft.trim()).catch(() => undefined);
      }}
    >
      <h1 className="chat-hidden">{title}</h1>
      <input
        className="input"
        aria-label={text.newTitle}
        value={draft}
        maxLength={100}
        autoFocus
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setDraft(undefined);
        }}
      />
      <Button small type="submit">
        {text.save}
      </Button>
      <Button small look="plain" onClick={() => setDraft(undefined)}>
        {text.cancel}
      </Button>
    </form>
  );
}
