import { Link, useParams, useSearchParams } from 'react-router';
import type { Session } from '#spec/data';
import { useText } from '../../domains/language/language.tsx';
import { sessionAddress } from '../../domains/sessions/session-address.ts';
import { exportAddress } from '../../domains/sessions/sessions-api.ts';
import { Badge } from '../../ui/badge.tsx';
import { Page } from '../../ui/page.tsx';
import { ErrorNote, Loading } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { ContextView } from './context-view.tsx';
import { Figures } from './figures.tsx';
import { PromptView } from './prompt-view.tsx';
import { sessionText } from './text.ts';
import { TranscriptView } from './transcript-view.tsx';
import { TurnsView } from './turns-view.tsx';
import { useConversation } from './use-conversation.ts';
import './session.css';

const VIEWS = ['turns', 'transcript', 'prompt', 'context'] as const;
type View = (typeof VIEWS)[number];

/** One conversation: how each turn went, what was said, what was sent before it, and what it cost. */
export default function SessionPage() {
  const { id = '' } = useParams();
  const text = useText(sessionText);
  const [params, setParams] = useSearchParams();
  const { view, messages, turns, running } = useConversation(id);
  if (!view.data)
    return (
      <Page title={text.group}>
        {view.error ? <ErrorNote error={view.error} again={() => void view.refetch()} /> : <Loading />}
      </Page>
    );
  const { session, prompt } = view.data;
  const shown = VIEWS.find((each) => each === params.get('view')) ?? 'turns';
  const show = (next: View) => setParams({ view: next }, { replace: true });
  return (
    <Page
      title={session.title || text.untitled}
      mark={running ? <Badge tone="info">{text.running}</Badge> : undefined}
      actions={<Exports id={id} />}
    >
      <Crumbs session={session} />
      <Figures session={session} turns={turns} />
      <Tabs<View>
        label={text.views}
        value={shown}
        onChange={show}
        tabs={[
          {
            value: 'turns',
            label: text.turnsView,
            render: () =>
              turns ? <TurnsView session={id} turns={turns} messages={messages.data ?? []} /> : <Loading />,
          },
          {
            value: 'transcript',
            label: text.transcriptView,
            render: () => (
              <TranscriptView session={id} query={messages} target={params.get('message') ?? undefined} />
            ),
          },
          {
            value: 'prompt',
            label: text.promptView,
            render: () => <PromptView prompt={prompt} turns={turns ?? []} />,
          },
          { value: 'context', label: text.contextView, render: () => <ContextView turns={turns ?? []} /> },
        ]}
      />
    </Page>
  );
}

function Crumbs({ session }: { readonly session: Session }) {
  const text = useText(sessionText);
  return (
    <nav className="muted session-crumbs" aria-label={text.sessions}>
      <Link to="/sessions">{text.sessions}</Link> / <code>{session.id}</code>
      {session.parent ? (
        <>
          {' '}
          · {text.forkOf} <Link to={sessionAddress(session.parent.id)}>{session.parent.id}</Link>
        </>
      ) : null}
    </nav>
  );
}

function Exports({ id }: { readonly id: string }) {
  const text = useText(sessionText);
  return (
    <>
      <a className="button" href={exportAddress(id, 'json')} download>
        {text.exportJson}
      </a>
      <a className="button" href={exportAddress(id, 'markdown')} download>
        {text.exportMarkdown}
      </a>
    </>
  );
}
