import type { ChatEntry } from '#spec/api';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useRef, useState } from 'react';
import { Link } from 'react-router';
import { chatQueries } from '../../domains/chat/chat-api.ts';
import { useText } from '../../domains/language/language.tsx';
import { Badge, Dot } from '../../ui/badge.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { useListKeys } from '../../ui/use-list-keys.ts';
import { chatText } from './text.ts';

/** One's conversations, newest first. */
export function Conversations(props: { readonly current: string | undefined; readonly onGo?: () => void }) {
  const text = useText(chatText);
  const [typed, setTyped] = useState('');
  const filter = useDeferredValue(typed.trim());
  const query = useQuery(chatQueries.list(filter));
  const list = useRef<HTMLUListElement>(null);
  useListKeys(list);
  return (
    <div
      className="chat-list"
      onClick={
        props.onGo &&
        ((event) => event.target instanceof Element && event.target.closest('a') && props.onGo?.())
      }
    >
      <div className="chat-list-head">
        <input
          type="search"
          className="input"
          aria-label={text.filter}
          placeholder={text.filter}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </div>
      <Loaded query={query}>
        {(entries) =>
          entries.length ? (
            <ul ref={list}>
              {entries.map((entry) => (
                <li key={entry.id}>
                  <Entry entry={entry} current={entry.id === props.current} />
                </li>
              ))}
            </ul>
          ) : (
            <p className="muted chat-list-none">{filter ? text.nothingFound : text.none}</p>
          )
        }
      </Loaded>
    </div>
  );
}

function Entry({ entry, current }: { readonly entry: ChatEntry; readonly current: boolean }) {
  const text = useText(chatText);
  return (
    <Link
      to={`/chat/${encodeURIComponent(entry.id)}`}
      className="chat-entry"
      aria-current={current ? 'page' : undefined}
    >
      <span className="ellipsis">{entry.title || text.untitled}</span>
      <span className="chat-entry-note">
        {entry.asking ? (
          <Dot tone="warn" label={text.asks} />
        ) : entry.running ? (
          <Dot tone="info" label={text.answering} />
        ) : null}
        <Time at={entry.updatedAt} ago />
        {entry.source === 'console' ? null : (
          <Badge>{entry.source === 'cli' ? text.terminal : entry.source}</Badge>
        )}
      </span>
    </Link>
  );
}
