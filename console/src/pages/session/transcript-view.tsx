import type { ShownMessage } from '#spec/api';
import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useFormats, useText } from '../../domains/language/language.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { Section } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { firstShown } from './first-shown.ts';
import { MessageParts } from './message-parts.tsx';
import { pairResults } from './pair-results.ts';
import { sessionText } from './text.ts';

interface TranscriptProps {
  readonly session: string;
  /** A message that is to be seen. */
  readonly target: string | undefined;
}

/** Everything that was said, in order. Thinking, calls and their results are folded. */
export function TranscriptView(
  props: TranscriptProps & { readonly query: UseQueryResult<readonly ShownMessage[]> },
) {
  const { message: text } = useText(sessionText);
  return (
    <Loaded query={props.query}>
      {(messages) =>
        messages.length ? <Messages {...props} messages={messages} /> : <Empty title={text.none} />
      }
    </Loaded>
  );
}

function Messages(props: TranscriptProps & { readonly messages: readonly ShownMessage[] }) {
  const { session, messages, target } = props;
  const { message: text } = useText(sessionText);
  const [wishes, setWishes] = useState(0);
  const { shown: all, results } = useMemo(() => pairResults(messages), [messages]);
  const wanted = useMemo(() => {
    const found = messages.find(({ id }) => id === target);
    // A result stands with its call.
    const call = found?.call;
    const holder = all.find(({ parts }) =>
      parts.some((part) => part.type === 'tool_call' && part.id === call),
    );
    return found && !all.includes(found) ? holder?.id : found?.id;
  }, [messages, all, target]);
  const place = wanted === undefined ? undefined : all.findIndex(({ id }) => id === wanted);
  const from = firstShown(all.length, place, wishes);
  useEffect(() => {
    if (wanted !== undefined) document.getElementById(wanted)?.scrollIntoView({ block: 'center' });
  }, [wanted]);
  return (
    <Section title={text.list} count={messages.length}>
      {messages.some(({ state }) => state === 'archived') ? <p className="muted">{text.hint}</p> : null}
      {from > 0 ? (
        <Button small look="plain" onClick={() => setWishes(wishes + 1)}>
          {text.earlier(from)}
        </Button>
      ) : null}
      <ol className="transcript">
        {all.slice(from).map((message) => (
          <MessageRow
            key={message.id}
            session={session}
            message={message}
            results={results}
            wanted={message.id === wanted}
          />
        ))}
      </ol>
    </Section>
  );
}

function MessageRow(props: {
  readonly session: string;
  readonly message: ShownMessage;
  readonly results: ReadonlyMap<string, ShownMessage>;
  readonly wanted: boolean;
}) {
  const { session, message, results, wanted } = props;
  const { message: text, turns } = useText(sessionText);
  const formats = useFormats();
  const { role, kind, state } = message;
  return (
    <li
      id={message.id}
      className={classes('message', role, state === 'archived' && 'archived')}
      aria-current={wanted || undefined}
    >
      <div className="row spread">
        <h3>
          {text[role]} {role === 'tool' ? <code>{message.name}</code> : null}
        </h3>
        <span className="row muted">
          {kind === 'plain' ? null : <Badge>{text[kind]}</Badge>}
          {state === 'archived' ? <Badge>{text.archived}</Badge> : null}
          {message.isError ? <Badge tone="bad">{text.failed}</Badge> : null}
          <span>{turns.turn(message.turn)}</span>
          <span>{text.tokens(formats.number(message.tokens))}</span>
          <Time at={message.at} />
        </span>
      </div>
      <MessageParts session={session} message={message} results={results} />
    </li>
  );
}
