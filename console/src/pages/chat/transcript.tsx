import { useMutation } from '@tanstack/react-query';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { useChat } from '../../domains/chat/use-chat.ts';
import { useText } from '../../domains/language/language.tsx';
import { Button } from '../../ui/button.tsx';
import { Markdown } from '../../ui/markdown/markdown.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { ItemView } from './item-view.tsx';
import { QuestionView } from './question-view.tsx';
import { chatText } from './text.ts';

/** So near to the end counts as at the end. */
const NEAR_PX = 48;

/** What was said. It stays at its end while more comes, unless the reader has gone up. */
export function Transcript(props: {
  readonly chat: ReturnType<typeof useChat>;
  readonly session: string | undefined;
}) {
  const { state, loadEarlier } = props.chat;
  const { session } = props;
  const text = useText(chatText);
  const box = useRef<HTMLDivElement>(null);
  const stuck = useRef(true);
  const [away, setAway] = useState(false);
  const toEnd = useCallback(() => {
    stuck.current = true;
    setAway(false);
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, []);
  const keepPlace = useKeptPlace(box, state?.first);
  const earlier = useMutation({ mutationFn: loadEarlier });
  useLayoutEffect(() => {
    if (stuck.current) toEnd();
  }, [state, toEnd]);
  useEffect(() => {
    // Pictures and code that open change the height as well, and so does the keyboard of a phone.
    if (!box.current?.firstElementChild) return undefined;
    const observer = new ResizeObserver(() => {
      if (stuck.current) toEnd();
    });
    observer.observe(box.current);
    observer.observe(box.current.firstElementChild);
    return () => observer.disconnect();
  }, [toEnd]);
  const items = state?.items ?? [];
  const last = items.findLastIndex(({ kind }) => kind === 'user');
  const said = (state?.first ?? 0) + last;
  useLayoutEffect(() => {
    // Whoever says something wants to see what comes of it.
    toEnd();
  }, [said, toEnd]);
  const isAsking = (state?.questions.length ?? 0) > 0;
  return (
    <div className="chat-scroll-frame">
      <div
        ref={box}
        className="chat-scroll"
        role="log"
        aria-live="off"
        aria-label={text.transcript}
        tabIndex={0}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
          stuck.current = scrollHeight - scrollTop - clientHeight < NEAR_PX;
          setAway(!stuck.current);
        }}
      >
        <div className="chat-items">
          {state && state.first > 0 ? (
            <Button
              small
              busy={earlier.isPending}
              onClick={() => {
                keepPlace();
                earlier.mutate();
              }}
            >
              {text.earlier(state.first)}
            </Button>
          ) : null}
          {earlier.error ? <ErrorNote error={earlier.error} /> : null}
          {items.length ? null : (
            <Welcome hasModel={state === undefined || state.status.model !== undefined} />
          )}
          {items.map((item, index) => (
            <ItemView
              key={(state?.first ?? 0) + index}
              item={item}
              session={session ?? ''}
              isLive={state?.status.running !== undefined && index > last}
            />
          ))}
          {state?.status.waiting.map((words, index) => (
            // The same may be said twice.
            <div key={index} className="chat-steer muted">
              <span className="chat-label">{text.waitingFor}</span>
              {words}
            </div>
          ))}
          {state?.questions.map((question) => (
            <QuestionView key={question.id} question={question} session={session ?? ''} />
          ))}
        </div>
      </div>
      {away ? (
        <Button small look={isAsking ? 'primary' : undefined} className="chat-newest" onClick={toEnd}>
          ↓ {isAsking ? text.asks : text.newest}
        </Button>
      ) : null}
    </div>
  );
}

/** What is put before what one reads must not move it. */
function useKeptPlace(box: React.RefObject<HTMLDivElement | null>, first: number | undefined): () => void {
  const before = useRef<number>(undefined);
  useLayoutEffect(() => {
    const element = box.current;
    if (element && before.current !== undefined) element.scrollTop = element.scrollHeight - before.current;
    before.current = undefined;
  }, [box, first]);
  return () => {
    const element = box.current;
    if (element) before.current = element.scrollHeight - element.scrollTop;
  };
}

function Welcome({ hasModel }: { readonly hasModel: boolean }) {
  const text = useText(chatText);
  return (
    <div className="chat-welcome">
      <h2>{text.welcome}</h2>
      <Markdown text={text.welcomeHow} />
      {hasModel ? null : <p className="muted">{text.noModel}</p>}
    </div>
  );
}
