import type { ShownMessage, ShownPart } from '#spec/api';
import { useFormats, useText } from '../../domains/language/language.tsx';
import { Badge } from '../../ui/badge.tsx';
import { CallArguments } from './call-arguments.tsx';
import { LongText } from './long-text.tsx';
import { sessionText } from './text.ts';

interface PartsProps {
  readonly session: string;
  readonly message: ShownMessage;
  /** Results by the id of their call: where they are given, each stands with its call. */
  readonly results?: ReadonlyMap<string, ShownMessage> | undefined;
}

/** What a message holds, part by part. Everything in it is text. */
export function MessageParts({ session, message, results }: PartsProps) {
  return (
    <div className="parts">
      {message.parts.map((part, index) => (
        // Parts have no name but their place.
        <Part key={index} {...{ session, message, results, part, index }} />
      ))}
    </div>
  );
}

function Part(props: PartsProps & { readonly part: ShownPart; readonly index: number }) {
  const { session, message, part, index } = props;
  const { message: text } = useText(sessionText);
  const formats = useFormats();
  if (part.type === 'image')
    return <Badge>{text.image(part.mediaType, formats.quantity(part.bytes, 'bytes'))}</Badge>;
  const rest =
    part.more === undefined ? undefined : { session, message: message.id, part: index, more: part.more };
  if (part.type === 'tool_call') return <Call {...props} part={part} />;
  if (part.type === 'text')
    return rest || message.role === 'tool' ? (
      <LongText text={part.text} rest={rest} />
    ) : (
      <p className="said wrap">{part.text}</p>
    );
  return (
    <details className="fold">
      <summary>{text[part.type]}</summary>
      <LongText text={part.text} rest={rest} />
    </details>
  );
}

function Call(
  props: PartsProps & { readonly part: Extract<ShownPart, { type: 'tool_call' }>; readonly index: number },
) {
  const { session, message, part, index, results } = props;
  const text = useText(sessionText);
  const result = results?.get(part.id);
  const rest =
    part.more === undefined ? undefined : { session, message: message.id, part: index, more: part.more };
  return (
    <details className="fold call">
      <summary>
        <code>{part.name}</code> <span className="muted">{part.text.slice(0, 160)}</span>{' '}
        {result?.isError ? <Badge tone="bad">{text.message.failed}</Badge> : null}
        {results && !result ? <Badge tone="warn">{text.message.noResult}</Badge> : null}
      </summary>
      <div className="stack">
        <h4>{text.details.arguments}</h4>
        <CallArguments text={part.text} rest={rest} />
        {result ? (
          <>
            <h4>{text.details.result}</h4>
            <MessageParts session={session} message={result} />
          </>
        ) : null}
      </div>
    </details>
  );
}
