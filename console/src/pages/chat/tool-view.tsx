import type { AnswerOf, Calls, ToolItem } from '#spec/api';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { chatApi, chatQueries } from '../../domains/chat/chat-api.ts';
import { useFormats, useText } from '../../domains/language/language.tsx';
import { Dot } from '../../ui/badge.tsx';
import type { Tone } from '../../ui/classes.ts';
import { Json } from '../../ui/json.tsx';
import { Loaded } from '../../ui/states.tsx';
import { useNow } from '../../ui/time.tsx';
import { shortArguments } from './short-arguments.ts';
import { chatText } from './text.ts';

const TONES: Readonly<Record<ToolItem['state'], Tone>> = {
  running: 'info',
  done: 'ok',
  failed: 'bad',
  stopped: 'quiet',
};

/** A call in one line, which unfolds to what it was given and what it gave. */
export function ToolView({ item, session }: { readonly item: ToolItem; readonly session: string }) {
  const text = useText(chatText);
  const formats = useFormats();
  const [open, setOpen] = useState(false);
  const note = item.state === 'running' ? item.progress : item.summary;
  return (
    <details
      className="chat-tool"
      open={open}
      onToggle={(event) => {
        if (event.target === event.currentTarget) setOpen(event.currentTarget.open);
      }}
    >
      <summary>
        <Dot tone={TONES[item.state]} label={text.state[item.state]} />
        <span className="chat-tool-name">{item.name}</span>
        <span className="mono ellipsis">{shortArguments(item.arguments)}</span>
        <span className="chat-tool-note muted">
          {note ? <span className="ellipsis">{note}</span> : null}
          {item.state === 'running' ? (
            <Elapsed since={item.at} />
          ) : item.ms === undefined ? null : (
            <span className="nowrap">{formats.duration(item.ms)}</span>
          )}
        </span>
      </summary>
      {open ? <Detail item={item} session={session} /> : null}
    </details>
  );
}

function Elapsed({ since }: { readonly since: number }) {
  const formats = useFormats();
  const elapsed = useNow(1_000) - since;
  return elapsed < 1_000 ? null : <span className="nowrap">{formats.duration(elapsed)}</span>;
}

function Detail({ item, session }: { readonly item: ToolItem; readonly session: string }) {
  const query = useQuery(chatQueries.call(session, item.call, item.state !== 'running'));
  return <Loaded query={query}>{(detail) => <Given detail={detail} session={session} />}</Loaded>;
}

function Given({
  detail,
  session,
}: {
  readonly detail: AnswerOf<Calls['GET /api/chat/:session/calls/:call']>;
  readonly session: string;
}) {
  const text = useText(chatText);
  const { result } = detail;
  return (
    <div className="chat-tool-detail">
      <div className="chat-label">{text.arguments}</div>
      <Arguments json={detail.arguments} />
      <div className="chat-label">{text.result}</div>
      {result === undefined ? <div className="muted">{text.noResult}</div> : null}
      {result?.text ? (
        <pre className="code chat-result" tabIndex={0}>
          {result.text}
        </pre>
      ) : null}
      {result?.images.map((image, index) => (
        <img
          key={image.part}
          className="chat-picture"
          src={chatApi.image(session, image)}
          alt={text.picture(index + 1)}
        />
      ))}
    </div>
  );
}

function Arguments({ json }: { readonly json: string }) {
  try {
    return <Json value={JSON.parse(json) as unknown} />;
  } catch {
    return <pre className="code">{json}</pre>;
  }
}
