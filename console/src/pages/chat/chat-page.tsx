import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { useChat } from '../../domains/chat/use-chat.ts';
import { useCommands } from '../../domains/keys/commands.tsx';
import { useText } from '../../domains/language/language.tsx';
import { useMay } from '../../domains/session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Loading } from '../../ui/states.tsx';
import { Announcer } from './announcer.tsx';
import { ChatTitle } from './chat-title.tsx';
import { Composer } from './composer.tsx';
import { Conversations } from './conversations.tsx';
import { StatusLine } from './status-line.tsx';
import { chatText } from './text.ts';
import { Transcript } from './transcript.tsx';
import { useSay } from './use-say.ts';
import './chat.css';

export default function ChatPage() {
  const text = useText(chatText);
  if (useMay('operator')) return <Chat />;
  return (
    <Page title={text.title}>
      <Empty title={text.notForYou}>{text.notForYouWhy}</Empty>
    </Page>
  );
}

function Chat() {
  const { session } = useParams();
  const text = useText(chatText);
  const navigate = useNavigate();
  const chat = useChat(session);
  const { state, line, problem } = chat;
  const say = useSay(session, state);
  const [listing, setListing] = useState(false);
  const input = useRef<HTMLTextAreaElement>(null);
  const title = state?.status.title ?? (session === undefined ? text.fresh : text.untitled);
  useEffect(() => {
    document.title = `${title} · Hermes`;
  }, [title]);
  useEffect(() => {
    // On a phone the keyboard would cover half of the page. The frame takes the focus first.
    const timer = matchMedia('(pointer: fine)').matches
      ? setTimeout(() => input.current?.focus(), 0)
      : undefined;
    return () => clearTimeout(timer);
  }, []);
  const running = state?.status.running !== undefined;
  const client = useQueryClient();
  useEffect(() => {
    void client.invalidateQueries({ queryKey: ['chat', 'list'] });
  }, [client, running, title]);
  useCommands([
    { id: 'chat new', label: text.fresh, group: text.sayGroup, keys: 'n', run: () => void navigate('/chat') },
    {
      id: 'chat write',
      label: text.write,
      group: text.sayGroup,
      keys: 'i',
      run: () => input.current?.focus(),
    },
    ...(running
      ? [{ id: 'chat stop', label: text.stopIt, group: text.sayGroup, keys: 'Escape', run: say.stop }]
      : []),
  ]);
  return (
    <div className="chat">
      <aside className="chat-side" aria-label={text.conversations}>
        <Conversations current={session} />
      </aside>
      <section className="chat-room" aria-label={title}>
        <header className="chat-head">
          <Button small className="chat-list-button" onClick={() => setListing(true)}>
            {text.conversations}
          </Button>
          <ChatTitle title={title} rename={state ? (name) => say.send(`/title ${name}`, []) : undefined} />
          <Button small onClick={() => void navigate('/chat')}>
            {text.fresh}
          </Button>
        </header>
        {problem && line === 'refused' ? (
          <Empty title={problem.status === 404 ? text.missing : problem.message}>{text.missingWhy}</Empty>
        ) : session !== undefined && !state ? (
          <Loading />
        ) : (
          <Transcript chat={chat} session={session} />
        )}
        <Composer input={input} say={say} session={session} state={state} disabled={line === 'refused'} />
        <StatusLine state={state} line={session === undefined ? 'live' : line} />
      </section>
      <Announcer state={state} />
      {listing ? (
        <Dialog title={text.conversations} onClose={() => setListing(false)}>
          <Conversations current={session} onGo={() => setListing(false)} />
        </Dialog>
      ) : null}
    </div>
  );
}
