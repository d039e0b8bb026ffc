import type { ChatItem } from '#spec/api';
import { memo, type ReactNode } from 'react';
import { chatApi } from '../../domains/chat/chat-api.ts';
import { useFormats, useText } from '../../domains/language/language.tsx';
import { Markdown } from '../../ui/markdown/markdown.tsx';
import { Time } from '../../ui/time.tsx';
import { chatText } from './text.ts';
import { ToolView } from './tool-view.tsx';

interface ItemProps<Kind extends ChatItem['kind'] = ChatItem['kind']> {
  readonly item: Extract<ChatItem, { kind: Kind }>;
  readonly session: string;
  /** It may still grow. */
  readonly isLive: boolean;
}

/** One thing that was said or done. */
export const ItemView = memo(function ItemView({ item, session, isLive }: ItemProps): ReactNode {
  switch (item.kind) {
    case 'user':
      return <Said item={item} session={session} isLive={isLive} />;
    case 'text':
      return (
        <article className="chat-answer">
          <Markdown text={item.text} />
        </article>
      );
    case 'thinking':
      return <Thought item={item} session={session} isLive={isLive} />;
    case 'tool':
      return <ToolView item={item} session={session} />;
    case 'command':
      return (
        <div className="chat-command">
          <code>{item.line}</code>
          <Markdown text={item.text} />
        </div>
      );
    default:
      return <Note item={item} />;
  }
});

function Said({ item, session }: ItemProps<'user'>) {
  const text = useText(chatText);
  return (
    <article className="chat-said">
      <h2 className="chat-label">
        {text.you} <Time at={item.at} />
      </h2>
      {item.text ? <div className="chat-words">{item.text}</div> : null}
      {item.images.some(({ message }) => message) ? (
        <div className="row">
          {item.images.map((image, index) => (
            <a key={image.part} href={chatApi.image(session, image)} target="_blank" rel="noreferrer">
              <img
                className="chat-picture"
                src={chatApi.image(session, image)}
                alt={text.picture(index + 1)}
              />
            </a>
          ))}
        </div>
      ) : null}
    </article>
  );
}

function Thought({ item, isLive }: ItemProps<'thinking'>) {
  const text = useText(chatText);
  const formats = useFormats();
  const isOver = item.ms !== undefined || !isLive;
  const how = item.ms ? text.thoughtFor(formats.duration(item.ms)) : text.thought;
  return (
    <details className="chat-thought">
      <summary>{isOver ? how : text.thinking}</summary>
      <div className="chat-words muted">{item.text}</div>
    </details>
  );
}

type NoteItem = Exclude<ChatItem, { kind: 'user' | 'text' | 'thinking' | 'tool' | 'command' }>;

function Note({ item }: { readonly item: NoteItem }) {
  const text = useText(chatText);
  const formats = useFormats();
  switch (item.kind) {
    case 'steer':
    case 'unsaid':
      return (
        <div className="chat-steer">
          <span className="chat-label">{item.kind === 'steer' ? text.added : text.unsaid}</span>
          <span className="chat-words">{item.text}</span>
        </div>
      );
    case 'error':
      return (
        <div className="notice bad">
          {item.error.message}
          {item.error.hint === undefined ? null : <div className="muted">{item.error.hint}</div>}
        </div>
      );
    case 'attempt': {
      const { error, next } = item;
      const who = error.source ? `${error.source.provider}/${error.source.model}` : '';
      return (
        <div className="notice warn">
          {next.kind === 'failover'
            ? text.failover(`${next.provider}/${next.model}`, error.message)
            : text.attempt(who, error.message)}
        </div>
      );
    }
    case 'compacted':
      return (
        <div className="chat-note">
          {text.compacted(formats.number(item.before), formats.number(item.after))}
        </div>
      );
    case 'notice':
      return <div className="chat-note">{item.text}</div>;
    default:
      return <div className="chat-note">{item.kind === 'stopped' ? text.stopped : text.cutShort}</div>;
  }
}
