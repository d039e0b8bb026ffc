import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useFormats, useText } from '../../domains/language/language.tsx';
import { sessionQueries } from '../../domains/sessions/sessions-api.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { sessionText } from './text.ts';

/** Where the rest of a text is. */
export interface RestOfText {
  readonly session: string;
  readonly message: string;
  /** The place of the part in its message. */
  readonly part: number;
  readonly more: number;
}

/** A text as it was written. What was left out of it is fetched when somebody asks for it. */
export function LongText({ text, rest }: { readonly text: string; readonly rest?: RestOfText | undefined }) {
  const { message: words } = useText(sessionText);
  const formats = useFormats();
  const [asked, ask] = useState(false);
  const { data, error, isFetching } = useQuery({
    ...sessionQueries.message(rest?.session ?? '', rest?.message ?? ''),
    enabled: asked && rest !== undefined,
  });
  const found = rest ? data?.parts[rest.part] : undefined;
  const whole = found && 'text' in found ? found.text : undefined;
  return (
    <>
      <pre className="code long-text" tabIndex={0}>
        {whole ?? text}
        {rest && whole === undefined ? '…' : ''}
      </pre>
      {rest && whole === undefined ? (
        <div>
          <Button small look="plain" busy={isFetching} onClick={() => ask(true)}>
            {words.more(formats.number(rest.more))}
          </Button>
        </div>
      ) : null}
      {error ? <ErrorNote error={error} /> : null}
    </>
  );
}
